import Bus
import Domain
package import Media
package import Observability
import RPC
import Runtime
package import Store
import Wire

/// Answers a call: sockets, SDP, greeting, live folder; then hands it to the media thread.
package struct CallTaker: Sendable {
    /// Seconds of audio that the disk may be late; more than the sockets keep while the process does not run.
    private static let ringSeconds = 20
    private static let registrationPatience = Duration.seconds(1)

    package struct Ground: Sendable {
        package var instance: String
        package var address: String
        package var liveRoot: String
        package var limits: RecordingLimits
        package var ports: RTPPorts
        package var media: MediaThread
        package var liveDisk: DiskThread
        package var database: Database
        package var ownership: any SlotOwnership
        package var greetings: Greetings
        package var finisher: MessageFinisher
        package var recordings: Recordings
        package var refused: RefusedPacketCounters
        package var logger: Logger

        package init(
            instance: String, address: String, liveRoot: String, limits: RecordingLimits, ports: RTPPorts,
            media: MediaThread, liveDisk: DiskThread, database: Database, ownership: any SlotOwnership,
            greetings: Greetings, finisher: MessageFinisher, recordings: Recordings, refused: RefusedPacketCounters,
            logger: Logger
        ) {
            self.instance = instance
            self.address = address
            self.liveRoot = liveRoot
            self.limits = limits
            self.ports = ports
            self.media = media
            self.liveDisk = liveDisk
            self.database = database
            self.ownership = ownership
            self.greetings = greetings
            self.finisher = finisher
            self.recordings = recordings
            self.refused = refused
            self.logger = logger
        }
    }

    private let ground: Ground

    package init(_ ground: Ground) {
        self.ground = ground
    }

    /// A call that is being taken.
    struct Taken {
        var answer: VoicemailV1.TakeCallEvent.Answer
        var call: TakenCall
        var events: AsyncStream<SessionEvent>
    }

    func take(_ request: VoicemailV1.TakeCallRequest) async throws -> Taken {
        guard !ground.recordings.isStopping, let lease = ground.ownership.anyLease() else {
            throw RPCError(.unavailable, "this instance takes no calls now")
        }
        let id = BellwireID.make(slot: lease.slot)
        let offer = try parsed(request.sdpOffer)
        let sockets = try openSockets()
        let (answer, audio) = try answered(offer, sockets, id)
        guard
            let recording = LiveRecording(
                request, id: id, epoch: lease.epoch, instance: ground.instance,
                created: Int64(id.milliseconds) * 1_000, sampleRate: audio.codec.sampleRate)
        else { throw RPCError(.invalidArgument, "owner, accountId and callId must be ids") }
        guard let sender = AudioSender(audio, encoder: try AudioEncoder(audio.codec)) else {
            throw RPCError(.invalidArgument, "sdpOffer: no numeric address")
        }
        let decoder = try AudioDecoder(audio.codec)
        let prompt =
            request.continues
            ? Greetings.beep(sampleRate: audio.codec.sampleRate)
            : await ground.greetings.prompt(owner: recording.owner, sampleRate: audio.codec.sampleRate)
        let folder = try await begin(recording)
        try Task.checkCancellation()

        let ring = SampleRing(capacity: audio.codec.sampleRate * Self.ringSeconds)
        let (moments, moment) = AsyncStream.makeStream(of: CallMoment.self)
        let (events, event) = AsyncStream.makeStream(of: SessionEvent.self)
        let recorder = MessageRecorder(decoder: decoder, roles: PayloadRoles(audio), limits: ground.limits)
        let call = TakenCall(
            sockets: sockets, sender: sender, recorder: recorder, prompt: prompt, ring: ring, counters: ground.refused
        ) {
            moment.yield($0)
            if case .ended = $0 { moment.finish() }
        }
        ground.recordings.run(
            RecordingSession(
                folder: folder, ring: ring, call: call, moments: moments, disk: ground.liveDisk,
                finisher: ground.finisher, logger: ground.logger
            ) {
                event.yield($0)
                if case .ended = $0 { event.finish() }
            })
        ground.media.add(call)
        ground.logger.info(
            "call taken", [.voicemail: .id(recording.id), .call: .id(recording.callID), .type: .slug(audio.codec)])

        var reply = VoicemailV1.TakeCallEvent.Answer()
        reply.voicemailID = recording.id
        reply.sdpAnswer = answer.text
        return Taken(answer: reply, call: call, events: events)
    }

    private func parsed(_ text: String) throws -> SessionDescription {
        do {
            return try SessionDescription(parsing: text)
        } catch {
            throw RPCError(.invalidArgument, "sdpOffer: not a session description")
        }
    }

    private func openSockets() throws -> RTPSocketPair {
        do {
            return try ground.ports.openPair()
        } catch {
            ground.logger.error("no RTP ports can be opened", [.error: .error(error)])
            throw RPCError(.resourceExhausted, "no RTP ports are free")
        }
    }

    private func answered(
        _ offer: SessionDescription, _ sockets: RTPSocketPair, _ id: BellwireID
    ) throws -> (SessionDescription, NegotiatedAudio) {
        do {
            let answer = try AudioNegotiation().answer(
                offer, address: ground.address, rtpPort: sockets.rtpPort, rtcpPort: sockets.rtcpPort,
                sessionID: id.milliseconds)
            return (answer.answer, answer.audio)
        } catch {
            throw RPCError(.failedPrecondition, "sdpOffer: no codec in common")
        }
    }

    /// Makes the live folder, and notes the recording in the database if that answers: the folder is what matters.
    private func begin(_ recording: LiveRecording) async throws -> LiveFolder {
        let folder: LiveFolder
        do {
            folder = try await ground.liveDisk.run { [root = ground.liveRoot] in
                try LiveFolder(beginning: recording, root: root)
            }
        } catch {
            ground.finisher.countFailure(.begin)
            ground.logger.error("no recording can be begun", [.error: .error(error)])
            throw RPCError(.unavailable, "the recording cannot be written")
        }
        do {
            let database = ground.database
            _ = try await withTimeLimit(Self.registrationPatience) {
                try await database.execute(
                    """
                    INSERT INTO voicemail.recording (id, slot, epoch, instance, owner, call_id, started)
                    VALUES (\(recording.id), \(recording.slot), \(recording.epoch), \(recording.instance),
                        \(recording.owner), \(recording.callID), now()) ON CONFLICT DO NOTHING
                    """)
            }
        } catch {
            ground.logger.warning("recording is not noted yet", [.voicemail: .id(recording.id), .error: .error(error)])
        }
        guard !Task.isCancelled else {
            try? await ground.liveDisk.run { try folder.discard() }
            throw CancellationError()
        }
        return folder
    }
}
