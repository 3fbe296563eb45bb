import Glibc
import Runtime

/// The few system calls that neither Foundation nor Runtime offers, with errno as an error.
enum SystemCalls {
    struct Account: Sendable, Equatable {
        let user: UInt32
        let group: UInt32
    }

    static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
        let descriptor = unsafe Glibc.open(path, flags, mode)
        guard descriptor >= 0 else { throw SystemError("open") }
        return descriptor
    }

    static func chown(_ path: String, to account: Account) throws(SystemError) {
        guard unsafe Glibc.chown(path, account.user, account.group) == 0 else { throw SystemError("chown") }
    }

    /// A user of this machine; nil when there is none of the name.
    static func account(named name: String) -> Account? {
        guard let entry = unsafe getpwnam(name) else { return nil }
        return unsafe Account(user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
    }

    static var isRoot: Bool { geteuid() == 0 }

    /// True while the process exists, also as another user's.
    static func processExists(_ process: Int32) -> Bool {
        kill(process, 0) == 0 || errno == EPERM
    }
}
