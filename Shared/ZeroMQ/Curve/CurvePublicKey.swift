import CZMQ

/// Names a party of CURVE connections: 32 bytes, written as 64 hexadecimal digits. No secret.
public struct CurvePublicKey: Hashable, Sendable, LosslessStringConvertible {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Nil unless the text is 64 hexadecimal digits.
    public init?(_ text: String) {
        guard let bytes = CurveText.bytes(text) else { return nil }
        self.bytes = bytes
    }

    public var description: String { CurveText.hexadecimal(bytes) }
}

/// The two forms of a key: hexadecimal in files and addresses, where nothing needs quoting; Z85 inside libzmq.
enum CurveText {
    static let keyBytes = 32

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    static func bytes(_ hexadecimal: String) -> [UInt8]? {
        let digits = hexadecimal.unicodeScalars.map { Character($0).hexDigitValue }
        guard hexadecimal.utf8.count == keyBytes * 2, digits.count == keyBytes * 2 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    static func bytes(z85: [CChar]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: keyBytes)
        zmq_z85_decode(&bytes, z85)
        return bytes
    }

    static func z85(_ bytes: [UInt8]) -> [CChar] {
        var text = [CChar](repeating: 0, count: 41)
        zmq_z85_encode(&text, bytes, keyBytes)
        return text
    }
}
