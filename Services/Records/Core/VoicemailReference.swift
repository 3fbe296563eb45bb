package import Domain
package import Store

/// What a record knows of a voicemail that was left in its call.
package struct VoicemailReference: Sendable, Equatable {
    package let id: BellwireID
    /// Of the voicemail, not of the record: a change is known by a higher one.
    package let version: Int64
    /// False once the voicemail is deleted or names no record any more.
    package let isAttached: Bool
    package let durationSeconds: UInt32
    package let media: Media
    package let updated: StoreTime

    /// Where the recording lies.
    package struct Media: Sendable, Equatable {
        package let key: String
        package let bucket: String
        package let region: String

        package init(key: String, bucket: String, region: String) {
            self.key = key
            self.bucket = bucket
            self.region = region
        }
    }

    package init(
        id: BellwireID, version: Int64, isAttached: Bool, durationSeconds: UInt32, media: Media, updated: StoreTime
    ) {
        self.id = id
        self.version = version
        self.isAttached = isAttached
        self.durationSeconds = durationSeconds
        self.media = media
        self.updated = updated
    }
}
