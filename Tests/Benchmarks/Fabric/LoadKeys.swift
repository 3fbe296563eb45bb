import ZeroMQ

/// The two parties of a measure with CURVE. Their keys are known to everybody: for measuring only.
enum LoadKeys {
    static let server = credentials("5f")
    static let client = credentials("3a")

    private static func credentials(_ digits: String) -> CurveCredentials {
        CurveCredentials(
            secret: secret(digits),
            allowed: AllowedKeys([
                AllowedKey(key: secret("5f").publicKey, name: "fabric-1", roles: ["fabric"]),
                AllowedKey(key: secret("3a").publicKey, name: "calls-1", roles: ["calls"]),
            ]))
    }

    private static func secret(_ digits: String) -> CurveSecretKey {
        guard let key = CurveSecretKey(String(repeating: digits, count: 32)) else { fatalError("no key") }
        return key
    }
}
