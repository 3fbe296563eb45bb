import CZMQ

extension ZeroMQSocket {
    /// Before `bind`: takes only peers that speak CURVE, know our public key, and whose own key is allowed.
    public func setCurve(_ listener: CurveListener) throws(ZeroMQError) {
        try set(ZMQ_CURVE_SERVER, 1)
        try set(ZMQ_CURVE_SECRETKEY, listener.credentials.secret.bytes)
        try set(ZMQ_ZAP_DOMAIN, Array(listener.domain.utf8))
    }

    /// Connects as the address wants it: openly, or by CURVE to the key it names. Throws `EACCES` when there are no
    /// credentials for it, or `trusting` says no to the key's owner.
    public func connect(
        _ address: PeerAddress, _ credentials: CurveCredentials?, trusting: (AllowedKey) -> Bool
    ) throws(ZeroMQError) {
        switch address.mechanism(for: credentials, trusting: trusting) {
        case nil: throw ZeroMQError("connect", code: EACCES, address: address.location)
        // Options hold for what is connected after they were set.
        case .open: try set(ZMQ_CURVE_SERVER, 0)
        case .curve(let server, let secret):
            try set(ZMQ_CURVE_SERVERKEY, server.bytes)
            try set(ZMQ_CURVE_PUBLICKEY, secret.publicKey.bytes)
            try set(ZMQ_CURVE_SECRETKEY, secret.bytes)
        }
        try connect(address.location)
    }

    /// Whose key the connection of the last part has; nil where it does not speak CURVE.
    public var lastPartKey: CurvePublicKey? {
        zmq_msg_gets(&message, "User-Id").flatMap { CurvePublicKey(String(cString: $0)) }
    }

    private func set(_ option: Int32, _ bytes: [UInt8]) throws(ZeroMQError) {
        if zmq_setsockopt(handle, option, bytes, bytes.count) != 0 { throw ZeroMQError("zmq_setsockopt") }
    }
}
