import CZMQ
import Glibc
public import Observability

/// The secret half of a key: whoever has it is who its public key names.
public struct CurveSecretKey: Sendable, RedactedInLogs {
    let bytes: [UInt8]
    public let publicKey: CurvePublicKey

    /// A new one, from the system's random numbers.
    public static func make() -> CurveSecretKey {
        var (publicText, secretText) = ([CChar](repeating: 0, count: 41), [CChar](repeating: 0, count: 41))
        guard zmq_curve_keypair(&publicText, &secretText) == 0 else { fatalError("this libzmq has no CURVE") }
        return CurveSecretKey(
            bytes: CurveText.bytes(z85: secretText), publicKey: CurvePublicKey(bytes: CurveText.bytes(z85: publicText)))
    }

    /// Nil unless the text is 64 hexadecimal digits.
    public init?(_ text: String) {
        guard let bytes = CurveText.bytes(text) else { return nil }
        var publicText = [CChar](repeating: 0, count: 41)
        guard zmq_curve_public(&publicText, CurveText.z85(bytes)) == 0 else { return nil }
        self.init(bytes: bytes, publicKey: CurvePublicKey(bytes: CurveText.bytes(z85: publicText)))
    }

    private init(bytes: [UInt8], publicKey: CurvePublicKey) {
        self.bytes = bytes
        self.publicKey = publicKey
    }

    /// For the key file alone.
    public var text: String { CurveText.hexadecimal(bytes) }

    public var redacted: String { "[secret key of \(publicKey)]" }

    /// Reads a key file: one line with the key; lines that start with `#` are comments. Refuses a file that everybody
    /// may read.
    public static func read(path: String) throws(CurveError) -> CurveSecretKey {
        let file = try CurveFile.read(path)
        guard file.mode & 0o007 == 0 else { throw CurveError(path, "everybody may read this secret; chmod o= it") }
        guard file.lines.count == 1, let key = CurveSecretKey(file.lines[0].text) else {
            throw CurveError(path, "must hold one key of 64 hexadecimal digits; `bellwire curve create` makes it")
        }
        return key
    }
}

extension CurveSecretKey: CustomStringConvertible, CustomReflectable {
    public var description: String { redacted }

    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
