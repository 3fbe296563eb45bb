/// Calls `body` with the parameters as libpq wants them: pointers, lengths, and 1 for binary ones.
func withWireParameters<Result>(
    _ parameters: [SQLValue],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
) -> Result {
    if parameters.isEmpty { return body(nil, nil, nil) }
    var bytes: [UInt8] = []
    var offsets: [Int?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    for parameter in parameters {
        switch parameter {
        case .null:
            offsets.append(nil)
            lengths.append(0)
            formats.append(0)
        case .text(let text):
            offsets.append(bytes.count)
            lengths.append(Int32(text.utf8.count))
            formats.append(0)
            bytes.append(contentsOf: text.utf8)
            bytes.append(0)
        case .bytes(let value):
            offsets.append(bytes.count)
            lengths.append(Int32(value.count))
            formats.append(1)
            bytes.append(contentsOf: value)
            bytes.append(0)
        }
    }
    bytes.append(0)
    return bytes.withUnsafeBytes { buffer in
        let base = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
        let pointers = offsets.map { offset in offset.map { base + $0 } }
        return pointers.withUnsafeBufferPointer { body($0.baseAddress, lengths, formats) }
    }
}
