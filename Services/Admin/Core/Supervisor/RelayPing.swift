import Glibc

/// Asks rtpengine whether it is there: `ping` of its control protocol, a cookie and a bencoded dictionary over UDP.
enum RelayPing {
    static func answers(host: String, port: UInt16) async -> Bool {
        guard let descriptor = connected(host: host, port: port) else { return false }
        defer { close(descriptor) }
        let cookie = "bw\(UInt32.random(in: 0...UInt32.max))"
        let request = Array("\(cookie) d7:command4:pinge".utf8)
        guard unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return false
        }
        for _ in 0..<20 {
            var buffer = [UInt8](repeating: 0, count: 512)
            let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { return String(decoding: buffer[..<count], as: UTF8.self).hasPrefix("\(cookie) ") }
            // Refused: nobody listens.
            if errno != EAGAIN { return false }
            guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return false }
        }
        return false
    }

    private static func connected(host: String, port: UInt16) -> Int32? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0, let address = unsafe list else { return nil }
        defer { unsafe freeaddrinfo(address) }
        let descriptor = unsafe socket(address.pointee.ai_family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        guard unsafe connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
