import Store

/// Removes audio that nothing names any more.
struct ReleasedMedia: Sendable {
    let database: Database
    let store: any MediaStore

    /// Right after the change that released it. A failure is made up for by `sweep`.
    func remove(_ media: MediaReference) async throws {
        try await store.remove(media)
        try await database.execute(
            """
            DELETE FROM voicemail.released_media
            WHERE media_bucket = \(media.bucket) AND media_key = \(media.key)
            """)
    }

    /// What earlier processes did not come to, a hundred at a time.
    func sweep() async throws {
        let rows = try await database.query(
            """
            SELECT media_key, media_bucket, media_region FROM voicemail.released_media
            WHERE released < now() - interval '1 minute' ORDER BY released LIMIT 100
            """)
        for row in rows {
            try await remove(
                MediaReference(
                    key: try row.string("media_key"), bucket: try row.string("media_bucket"),
                    region: try row.string("media_region")))
        }
    }
}
