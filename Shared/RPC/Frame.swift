/// One frame between client and server: a fixed header in little-endian order, then the payload. A ZeroMQ message holds
/// one frame, or several: see `FrameBatch`.
///
///      byte  0   version, 1
///            1   kind (`FrameKind`)
///            2   hint (`RPCError.Hint`) of a response or stream end, else 0
///            3   status code of a response or stream end, else 0
///         4..7   request: the stream's first credit in bytes; credit: the bytes granted; else 0
///        8..15   call id, unique within its connection and not 0; ping, pong, goodbye: 0
///
///     a request goes on:
///       16..23   method: 64-bit FNV-1a of `package.Service/Method`
///       24..39   trace id
///       40..43   milliseconds left until the deadline; all ones: none
///           44   length n of the caller's name
///       45..47   0
///     48..48+n   the caller, `service/instance`, UTF-8
///
/// The payload is the protobuf message, or the error's text where the status is not `ok`. Whatever is not exactly this is
/// dropped and counted.
package struct Frame {
    package static let version: UInt8 = 1
    package static let headerBytes = 16
    package static let requestHeaderBytes = 48
    package static let noDeadline = UInt32.max
    /// The largest frame that is sent or taken.
    package static let maximumBytes = 16 << 20

    package var kind: FrameKind
    package var hint = RPCError.Hint.none
    package var status = StatusCode.ok
    package var argument: UInt32 = 0
    package var callID: UInt64 = 0
    // Of a request:
    package var method: UInt64 = 0
    package var traceID = TraceID(high: 0, low: 0)
    package var deadlineMilliseconds = Frame.noDeadline
    package var caller = UnsafeRawBufferPointer(start: nil, count: 0)
    package var payload = UnsafeRawBufferPointer(start: nil, count: 0)

    package init(_ kind: FrameKind, callID: UInt64 = 0, argument: UInt32 = 0) {
        self.kind = kind
        self.callID = callID
        self.argument = argument
    }

    /// Reads a frame in place; `caller` and `payload` point into `bytes`. Nil: garbage.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Frame.headerBytes, bytes[0] == Frame.version, let kind = FrameKind(rawValue: bytes[1]),
            let hint = RPCError.Hint(rawValue: bytes[2]), hint != .notSent,
            let status = StatusCode(rawValue: bytes[3])
        else { return nil }
        self.kind = kind
        self.hint = hint
        self.status = status
        argument = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        callID = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        guard kind.hasCall == (callID != 0), kind.hasStatus || (hint == .none && status == .ok),
            kind == .request || kind == .credit || argument == 0
        else { return nil }
        var start = Frame.headerBytes
        if kind == .request {
            guard bytes.count >= Frame.requestHeaderBytes else { return nil }
            method = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
            traceID = TraceID(
                high: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)),
                low: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)))
            deadlineMilliseconds = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 40, as: UInt32.self))
            start = Frame.requestHeaderBytes + Int(bytes[44])
            guard bytes[45] == 0, bytes[46] == 0, bytes[47] == 0, bytes.count >= start else { return nil }
            caller = UnsafeRawBufferPointer(rebasing: bytes[Frame.requestHeaderBytes..<start])
        }
        payload = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard kind.hasPayload || payload.isEmpty else { return nil }
    }

    /// The encoded header's bytes, a request's caller included; the payload follows as it is.
    package var headerCount: Int {
        kind == .request ? Frame.requestHeaderBytes + caller.count : Frame.headerBytes
    }

    /// Writes `headerCount` bytes.
    package func encode(to header: UnsafeMutableRawPointer) {
        let first =
            UInt32(Frame.version) | UInt32(kind.rawValue) << 8 | UInt32(hint.rawValue) << 16
            | UInt32(status.rawValue) << 24
        header.storeBytes(of: first.littleEndian, as: UInt32.self)
        header.storeBytes(of: argument.littleEndian, toByteOffset: 4, as: UInt32.self)
        header.storeBytes(of: callID.littleEndian, toByteOffset: 8, as: UInt64.self)
        guard kind == .request else { return }
        header.storeBytes(of: method.littleEndian, toByteOffset: 16, as: UInt64.self)
        header.storeBytes(of: traceID.high.littleEndian, toByteOffset: 24, as: UInt64.self)
        header.storeBytes(of: traceID.low.littleEndian, toByteOffset: 32, as: UInt64.self)
        header.storeBytes(of: deadlineMilliseconds.littleEndian, toByteOffset: 40, as: UInt32.self)
        header.storeBytes(of: UInt32(caller.count).littleEndian, toByteOffset: 44, as: UInt32.self)
        if let source = caller.baseAddress {
            (header + Frame.requestHeaderBytes).copyMemory(from: source, byteCount: caller.count)
        }
    }

    /// Calls `body` with the encoded header.
    package func withHeader<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeTemporaryAllocation(byteCount: headerCount, alignment: 8) { header in
            if let start = header.baseAddress { encode(to: start) }
            return body(UnsafeRawBufferPointer(header))
        }
    }
}
