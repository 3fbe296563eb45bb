import Wire

/// `user delete --cascade`: what other services keep of a user. It may be done again when it broke off.
enum UserErasure {
    /// - Returns: how many call records and voicemails were deleted.
    static func eraseData(of user: String, _ connection: Connection) async throws -> (records: Int, voicemails: Int) {
        let voicemails = try await eraseAll {
            var request = VoicemailV1.ListVoicemailsRequest()
            request.owner = user
            return try await connection.voicemails.listVoicemails(request).voicemails
        } delete: { voicemail in
            var deletion = VoicemailV1.DeleteVoicemailRequest()
            deletion.id = voicemail.id
            _ = try await connection.voicemails.deleteVoicemail(deletion)
        }
        let records = try await eraseAll {
            var request = RecordsV1.ListCallRecordsRequest()
            request.owner = user
            return try await connection.records.listCallRecords(request).records
        } delete: { record in
            var deletion = RecordsV1.DeleteCallRecordRequest()
            deletion.id = record.id
            _ = try await connection.records.deleteCallRecord(deletion)
        }
        var greeting = VoicemailV1.ClearGreetingRequest()
        greeting.owner = user
        _ = try await connection.voicemails.clearGreeting(greeting)
        return (records, voicemails)
    }

    /// Each round lists anew: what is deleted is gone from the listing.
    private static func eraseAll<Item>(
        _ page: () async throws -> [Item], delete: (Item) async throws -> Void
    ) async throws -> Int {
        var count = 0
        while true {
            let items = try await page()
            if items.isEmpty { return count }
            for item in items { try await delete(item) }
            count += items.count
        }
    }
}
