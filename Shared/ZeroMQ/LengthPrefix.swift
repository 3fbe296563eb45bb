/// Pieces one behind the other, each behind its length in 4 bytes, little-endian: how batches carry what is in them.
package enum LengthPrefix {
    package static let bytes = 4

    /// Calls `body` with each piece in order, in place. False: one was cut off, or `body` refused it; what follows is not
    /// read.
    package static func read(
        _ batch: UnsafeRawBufferPointer, from start: Int, _ body: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        var next = start
        while next < batch.count {
            guard batch.count - next >= bytes else { return false }
            let length = Int(UInt32(littleEndian: batch.loadUnaligned(fromByteOffset: next, as: UInt32.self)))
            next += bytes
            guard length <= batch.count - next,
                body(UnsafeRawBufferPointer(rebasing: batch[next..<next + length]))
            else { return false }
            next += length
        }
        return true
    }
}
