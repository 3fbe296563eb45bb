import FabricNode
import Glibc

// ROLE NAME DATABASE-URL FOLDER: a process of the tests of events and leases; see `NodeRole`.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 4, let role = NodeRole(rawValue: arguments[0]) else {
    print("usage: bellwire-test-node \(NodeRole.allCases.map(\.rawValue).joined(separator: "|")) NAME URL FOLDER")
    exit(64)
}
exit(await role.run(name: arguments[1], url: arguments[2], folder: arguments[3]))
