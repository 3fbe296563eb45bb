public import Observability
import Synchronization

/// The explicit list of keys that may connect: nobody else may, and there is no "any". Kept in a file of lines
/// `NAME KEY ROLE[,ROLE...]`, which is looked at whenever a peer connects, and each second by servers: a key added or
/// taken away counts from then on, without a restart.
public final class AllowedKeys: Sendable {
    private struct State {
        var keys: [CurvePublicKey: AllowedKey] = [:]
        var stamp: CurveFile.Stamp?
        /// The last change that could not be read.
        var badStamp: CurveFile.Stamp?
        var isMissing = false
    }

    private let path: String?
    private let logger: Logger?
    private let state = Mutex(State())

    /// Reads the file. Throws `CurveError` when it cannot be used.
    public init(path: String, logger: Logger? = nil) throws(CurveError) {
        self.path = path
        self.logger = logger
        let (keys, stamp) = try AllowedKeys.read(path)
        state.withLock { $0 = State(keys: keys, stamp: stamp) }
    }

    /// A fixed list.
    public init(_ keys: [AllowedKey]) {
        path = nil
        logger = nil
        state.withLock { state in state.keys = Dictionary(keys.map { ($0.key, $0) }) { $1 } }
    }

    /// What the key may be; nil: nothing.
    public func find(_ key: CurvePublicKey) -> AllowedKey? {
        state.withLock { state in
            look(&state)
            return state.keys[key]
        }
    }

    /// All of them, by name.
    public var all: [AllowedKey] {
        state.withLock { state in
            look(&state)
            return state.keys.values.sorted { ($0.name, $0.key.description) < ($1.name, $1.key.description) }
        }
    }

    /// Reads the file again if it was changed. One that cannot be used changes nothing: half an edit must not shut out
    /// a whole cluster.
    private func look(_ state: inout State) {
        guard let path else { return }
        let stamp = CurveFile.stamp(path)
        guard stamp != state.stamp || stamp == nil else { return }
        if stamp == nil ? state.isMissing : stamp == state.badStamp { return }
        do throws(CurveError) {
            let (keys, stamp) = try AllowedKeys.read(path)
            state = State(keys: keys, stamp: stamp)
            logger?.notice("the allowed keys were changed", [.count: .int(keys.count)])
        } catch {
            state.badStamp = stamp
            state.isMissing = stamp == nil
            logger?.error("the allowed keys cannot be read again; the former ones stay", [.error: .error(error)])
        }
    }

    private static func read(
        _ path: String
    ) throws(CurveError) -> (keys: [CurvePublicKey: AllowedKey], stamp: CurveFile.Stamp) {
        let file = try CurveFile.read(path)
        // Whoever can write here decides who may connect.
        guard file.mode & 0o002 == 0 else { throw CurveError(path, "everybody may change this list; chmod o-w it") }
        var keys: [CurvePublicKey: AllowedKey] = [:]
        for (number, text) in file.lines {
            do throws(AllowedKey.LineError) {
                let allowed = try AllowedKey(line: text)
                guard keys.updateValue(allowed, forKey: allowed.key) == nil else {
                    throw AllowedKey.LineError("the key stands there twice")
                }
            } catch {
                throw CurveError(path, "line \(number): \(error.text)")
            }
        }
        return (keys, file.stamp)
    }
}
