#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension WireMessage {
    /// The message in proto3 JSON, on one line, keys sorted. Not redacted.
    ///
    /// - Throws: `WireError.json` when the message cannot be written.
    public func json() throws(WireError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            throw .json(path: "", reason: "cannot be written")
        }
    }

    /// Reads proto3 JSON.
    ///
    /// - Throws: `WireError.tooLarge`, or `WireError.json` naming the field that does not fit.
    public init(json: String) throws(WireError) {
        let bytes = json.utf8.count
        guard bytes <= WireLimits.maximumBytes else {
            throw .tooLarge(bytes: bytes, limit: WireLimits.maximumBytes)
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
        } catch let error as DecodingError {
            throw WireError(error)
        } catch {
            throw .json(path: "", reason: "cannot be read")
        }
    }
}

extension WireError {
    /// The field and the kind of the fault, without the values that the texts of `DecodingError` may show.
    fileprivate init(_ error: DecodingError) {
        let (context, reason): (DecodingError.Context, String)
        switch error {
        case .typeMismatch(_, let at): (context, reason) = (at, "has the wrong type")
        case .valueNotFound(_, let at): (context, reason) = (at, "is null")
        case .keyNotFound(_, let at): (context, reason) = (at, "is missing")
        case .dataCorrupted(let at):
            (context, reason) = (at, at.codingPath.isEmpty ? "is not valid JSON" : "is not valid")
        @unknown default: (context, reason) = (.init(codingPath: [], debugDescription: ""), "cannot be read")
        }
        var path = ""
        for key in context.codingPath {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        self = .json(path: path, reason: reason)
    }
}
