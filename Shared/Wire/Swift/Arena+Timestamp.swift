package import CWire
package import WireFormat

/// `google.protobuf.Timestamp`, the one message of protobuf's own that messages here hold.
extension Arena {
    /// Nanoseconds outside 0 ..< 1,000,000,000 are `malformed`.
    package func time(_ c: UnsafeMutablePointer<Google__Protobuf__Timestamp>?) throws(WireError) -> Timestamp? {
        guard let c else { return nil }
        guard (0..<1_000_000_000).contains(c.pointee.nanos) else { throw .malformed }
        return Timestamp(seconds: c.pointee.seconds, nanos: c.pointee.nanos)
    }

    package func time(_ time: Timestamp?) -> UnsafeMutablePointer<Google__Protobuf__Timestamp>? {
        guard let time else { return nil }
        let c = allocate(Google__Protobuf__Timestamp.self, count: 1)
        google__protobuf__timestamp__init(c)
        c.pointee.seconds = time.seconds
        c.pointee.nanos = time.nanos
        return c
    }
}
