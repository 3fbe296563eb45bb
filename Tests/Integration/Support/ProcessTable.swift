import Foundation

/// What /proc says of processes.
enum ProcessTable {
    struct Entry {
        let identifier: Int32
        let parent: Int32
        let name: String
        let state: String
    }

    static var entries: [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.compactMap(entry)
    }

    static func entry(_ process: Int32) -> Entry? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { return nil }
        let rest = text[close...].split(separator: " ")
        guard rest.count > 2, let parent = Int32(rest[2]) else { return nil }
        return Entry(
            identifier: process, parent: parent, name: String(text[text.index(after: open)..<close]),
            state: String(rest[1]))
    }

    /// Whether all of its threads have been stopped: the signal alone takes a moment to reach them.
    static func isStopped(_ process: Int32) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.allSatisfy { thread in
            let data = FileManager.default.contents(atPath: "/proc/\(process)/task/\(thread)/stat")
            let text = String(decoding: data ?? Data(), as: UTF8.self)
            return text.split(separator: ")").last?.split(separator: " ").first == "T"
        }
    }

    static func child(of parent: Int32, named name: String) -> Int32? {
        entries.first { $0.parent == parent && $0.name == name }?.identifier
    }

    /// The child whose command line holds a text.
    static func child(of parent: Int32, commandLine text: String) -> Int32? {
        entries.first { entry in
            guard entry.parent == parent,
                let data = FileManager.default.contents(atPath: "/proc/\(entry.identifier)/cmdline")
            else { return false }
            return String(decoding: data, as: UTF8.self).contains(text)
        }?.identifier
    }

    /// The living processes below `ancestor`.
    static func descendants(of ancestor: Int32) -> [Int32] {
        let entries = entries
        var found: [Int32] = []
        var parents: Set<Int32> = [ancestor]
        while !parents.isEmpty {
            let children = entries.filter { parents.contains($0.parent) }.map(\.identifier)
            found += children
            parents = Set(children)
        }
        return found
    }

    static func isZombie(_ process: Int32) -> Bool { entry(process)?.state == "Z" }

    static func isAlive(_ process: Int32) -> Bool { entry(process).map { $0.state != "Z" } ?? false }
}
