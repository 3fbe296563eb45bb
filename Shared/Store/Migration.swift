import Foundation

/// One numbered SQL file.
package struct Migration: Sendable, Equatable {
    /// Rising.
    package let number: Int
    /// `0001_cluster`
    package let name: String
    package let text: String

    package init(number: Int, name: String, text: String) {
        self.number = number
        self.name = name
        self.text = text
    }

    /// Those that came with the binary, in order.
    package static func bundled() throws -> [Migration] {
        guard let folder = Bundle.module.url(forResource: "Migrations", withExtension: nil),
            let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        else { throw MigrationError.filesMissing }
        var result: [Migration] = []
        for file in files where file.pathExtension == "sql" {
            let name = file.deletingPathExtension().lastPathComponent
            guard let number = Int(name.prefix(4)), name.dropFirst(4).first == "_",
                let text = try? String(contentsOf: file, encoding: .utf8)
            else { throw MigrationError.misnamed(name) }
            result.append(Migration(number: number, name: name, text: text))
        }
        result.sort { $0.number < $1.number }
        guard !result.isEmpty else { throw MigrationError.filesMissing }
        return result
    }
}
