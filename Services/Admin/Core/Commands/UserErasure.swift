import Wire

/// `user delete --cascade`: what other services keep of a user. It may be done again when it broke off.
enum UserErasure {
    /// - Returns: how many call records and voicemails were deleted.
    static func eraseData(of user: String, _ connection: Connection) async throws -> (records: Int, voicemails: Int) {
        var (records, voicemails) = (0, 0)
        // Each round begins anew: what is deleted is gone from the listing.
        while true {
            var request = VoicemailV1.ListVoicemailsRequest()
            request.owner = user
            let page = try await connection.voicemails.listVoicemails(request).voicemails
            for voicemail in page {
                var deletion = VoicemailV1.DeleteVoicemailRequest()
                deletion.id = voicemail.id
                _ = try await connection.voicemails.deleteVoicemail(deletion)
            }
            voicemails += page.count
            if page.isEmpty { break }
        }
        while true {
            var request = RecordsV1.ListCallRecordsRequest()
            request.owner = user
            let page = try await connection.records.listCallRecords(request).records
            for record in page {
                var deletion = RecordsV1.DeleteCallRecordRequest()
                deletion.id = record.id
                _ = try await connection.records.deleteCallRecord(deletion)
            }
            records += page.count
            if page.isEmpty { break }
        }
        var greeting = VoicemailV1.ClearGreetingRequest()
        greeting.owner = user
        _ = try await connection.voicemails.clearGreeting(greeting)
        return (records, voicemails)
    }
}
