/// What a frame is.
package enum FrameKind: UInt8, CaseIterable {
    /// Client to server: starts a call.
    case request = 1
    /// Server to client: ends a unary call, or refuses any.
    case response = 2
    /// Server to client: one message of a stream.
    case streamItem = 3
    /// Server to client: ends a stream.
    case streamEnd = 4
    /// Client to server: nobody waits for this call any more.
    case cancel = 5
    /// Client to server: the reader took that many bytes more of a stream.
    case credit = 6
    /// Client to server, each second: I live.
    case ping = 7
    /// Server to client: so do I.
    case pong = 8
    /// Server to client: I take no new calls.
    case goodbye = 9

    var hasCall: Bool { rawValue <= FrameKind.credit.rawValue }
    var hasPayload: Bool { rawValue <= FrameKind.streamEnd.rawValue }
    var hasStatus: Bool { self == .response || self == .streamEnd }
}
