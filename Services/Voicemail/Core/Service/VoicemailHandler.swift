import Domain
package import Observability
package import RPC
package import Store
package import Wire

/// `bellwire.voicemail.v1.Voicemails`. A request in a user's name sees that user's voicemails alone; what belongs to others is
/// `notFound`, like what does not exist.
package struct VoicemailHandler: VoicemailV1.VoicemailsService {
    static let chunkBytes = 65_536

    private let database: Database
    private let store: any MediaStore
    private let released: ReleasedMedia
    private let greetings: Greetings
    private let taker: CallTaker
    private let logger: Logger

    package init(
        database: Database, store: any MediaStore, greetings: Greetings, taker: CallTaker, logger: Logger
    ) {
        self.database = database
        self.store = store
        self.greetings = greetings
        self.taker = taker
        self.logger = logger
        released = ReleasedMedia(database: database, store: store)
    }

    package func takeCall(
        _ request: VoicemailV1.TakeCallRequest, responses: ResponseWriter<VoicemailV1.TakeCallEvent>,
        context: CallContext
    ) async throws {
        let taken = try await taker.take(request)
        try await withTaskCancellationHandler {
            do {
                try await responses.write(TakeCallEvents.answer(taken.answer))
                for await event in taken.events { try await responses.write(TakeCallEvents.event(event)) }
                try Task.checkCancellation()
            } catch {
                taken.call.end(.hangup)
                throw error
            }
        } onCancel: {
            taken.call.end(.hangup)
        }
    }

    package func getVoicemail(
        _ request: VoicemailV1.GetVoicemailRequest, context: CallContext
    ) async throws -> VoicemailV1.Voicemail {
        try await stored(request.id, owner: request.owner).wire
    }

    package func listVoicemails(
        _ request: VoicemailV1.ListVoicemailsRequest, context: CallContext
    ) async throws -> VoicemailV1.ListVoicemailsResponse {
        try await VoicemailList(request, owner: try requester(request.owner)).read(database)
    }

    package func deleteVoicemail(
        _ request: VoicemailV1.DeleteVoicemailRequest, context: CallContext
    ) async throws -> VoicemailV1.DeleteVoicemailResponse {
        let id = try voicemailID(request.id)
        let owner = try requester(request.owner)
        let deleted = try await database.transaction { transaction in
            guard let deleted = try await VoicemailTable(transaction: transaction).delete(id: id, owner: owner) else {
                throw missing
            }
            return deleted
        }
        do {
            try await released.remove(deleted.media)
        } catch {
            logger.warning("audio is not removed yet", [.voicemail: .id(id.description), .error: .error(error)])
        }
        var response = VoicemailV1.DeleteVoicemailResponse()
        response.id = id.description
        return response
    }

    package func download(
        _ request: VoicemailV1.DownloadRequest, responses: ResponseWriter<VoicemailV1.DownloadChunk>,
        context: CallContext
    ) async throws {
        let media = try await stored(request.id, owner: request.owner).media
        do {
            let size = try await store.size(of: media)
            let range = try Self.range(offset: request.offset, length: request.length, size: size)
            try await send(media, range, size: size, to: responses)
        } catch is MediaMissing {
            logger.error("audio of a voicemail is missing", [.voicemail: .id(request.id)])
            throw RPCError(.dataLoss, "the audio is not there")
        }
    }

    private func send(
        _ media: MediaReference, _ range: Range<Int>, size: Int, to responses: ResponseWriter<VoicemailV1.DownloadChunk>
    ) async throws {
        var offset = range.lowerBound
        repeat {
            var chunk = VoicemailV1.DownloadChunk()
            let count = min(Self.chunkBytes, range.upperBound - offset)
            chunk.data = try await store.read(media, offset: offset, count: count)
            guard chunk.data.count == count else { throw MediaMissing() }
            if offset == range.lowerBound { chunk.sizeBytes = UInt64(size) }
            try await responses.write(chunk)
            offset += count
        } while offset < range.upperBound
    }

    /// The bytes asked for; what lies behind the end is left out. Throws `outOfRange` for a start behind the end.
    package static func range(offset: UInt64, length: UInt64, size: Int) throws(RPCError) -> Range<Int> {
        guard let start = Int(exactly: offset), start <= size else {
            throw RPCError(.outOfRange, "offset: behind the end of the audio")
        }
        let count = length == 0 ? size - start : min(size - start, Int(clamping: length))
        return start..<start + count
    }

    package func setGreeting(
        _ request: VoicemailV1.SetGreetingRequest, context: CallContext
    ) async throws -> VoicemailV1.Greeting {
        try await greetings.set(owner: try user(request.owner), wav: request.wav)
    }

    package func getGreeting(
        _ request: VoicemailV1.GetGreetingRequest, context: CallContext
    ) async throws -> VoicemailV1.Greeting {
        try await greetings.get(owner: try user(request.owner))
    }

    package func clearGreeting(
        _ request: VoicemailV1.ClearGreetingRequest, context: CallContext
    ) async throws -> VoicemailV1.Greeting {
        try await greetings.clear(owner: try user(request.owner))
    }

    private func stored(_ text: String, owner: String) async throws -> StoredVoicemail {
        let id = try voicemailID(text)
        let ofOwner: SQL = try requester(owner).map { "owner = \($0) AND" } ?? ""
        let rows = try await database.query(
            "SELECT \(StoredVoicemail.columns) FROM voicemail.voicemail WHERE \(ofOwner) id = \(id)")
        guard let row = rows.first else { throw missing }
        return try StoredVoicemail(row: row)
    }

    private var missing: RPCError { RPCError(.notFound, "no such voicemail") }

    private func voicemailID(_ text: String) throws(RPCError) -> BellwireID {
        guard let id = BellwireID(text) else { throw RPCError(.invalidArgument, "id: not an id") }
        return id
    }

    /// Nil: the operator.
    private func requester(_ text: String) throws(RPCError) -> BellwireID? {
        text.isEmpty ? nil : try user(text)
    }

    private func user(_ text: String) throws(RPCError) -> BellwireID {
        guard let id = BellwireID(text) else { throw RPCError(.invalidArgument, "owner: not a user's id") }
        return id
    }
}
