import Glibc

/// The right to listen on an address. libzmq replaces whatever file stands at an `ipc://` path, so a lock file beside it
/// says whether its owner lives; the lock ends with the process however it ends.
final class ListeningAddress {
    let address: String
    private let path: String?
    private var lock: Int32 = -1

    init(_ address: String) throws(RPCServerError) {
        self.address = address
        guard address.hasPrefix("ipc://") else {
            guard address.hasPrefix("tcp://") else { throw .badAddress(address) }
            path = nil
            return
        }
        let path = String(address.dropFirst("ipc://".count))
        guard path.hasPrefix("/"), path.utf8.count <= 107 else { throw .badAddress(address) }
        self.path = path
        let folder = path[..<path.lastIndex(of: "/")!]
        if !folder.isEmpty { mkdir(String(folder), 0o700) }
        lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw .cannotListen(address, reason: String(cString: strerror(errno))) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            lock = -1
            throw .addressInUse(address)
        }
        unlink(path)
    }

    /// To be called once the socket is bound: only this user may connect.
    func restrict() {
        if let path { chmod(path, 0o600) }
    }

    /// To be called once the socket is closed.
    func release() {
        guard lock >= 0, let path else { return }
        unlink(path)
        close(lock)
        lock = -1
    }

    deinit { release() }
}
