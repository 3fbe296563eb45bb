import CPQ

/// A result as libpq holds it; freed with the last row that refers to it.
///
/// Safe to share: libpq only reads a finished result.
final class QueryResult: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let columns: [String: Int32]

    /// Takes ownership.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        var columns: [String: Int32] = [:]
        for index in 0..<PQnfields(pointer) {
            if let name = PQfname(pointer, index) { columns[String(cString: name)] = index }
        }
        self.columns = columns
    }

    deinit { PQclear(pointer) }

    var rows: [Row] {
        (0..<Int(PQntuples(pointer))).map { Row(result: self, index: $0) }
    }

    /// Rows inserted, changed, deleted or read.
    var touched: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// `COMMIT`, `INSERT 0 1`
    var command: String { String(cString: PQcmdStatus(pointer)) }

    func text(row: Int, column: String) throws -> String? {
        guard let index = columns[column] else { throw StoreError.column(column) }
        guard PQgetisnull(pointer, Int32(row), index) == 0 else { return nil }
        let bytes = UnsafeBufferPointer(
            start: PQgetvalue(pointer, Int32(row), index), count: Int(PQgetlength(pointer, Int32(row), index)))
        return bytes.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
    }
}
