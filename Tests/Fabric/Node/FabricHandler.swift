import Bus
import Domain
import RPC

/// The calls that an owner answers.
struct FabricHandler: RPCHandler {
    let node: Node
    let notes: LineFile

    var serviceDescriptor: ServiceDescriptor { Fabric.descriptor }

    func handle(_ call: ServerCall) async throws {
        switch call.method {
        case 0: try await call.unary { (_: FabricText, _) in FabricText(node.name) }
        case 1:
            try await call.unary { (id: FabricText, _) in
                guard let slot = BellwireID(id.text)?.slot, let lease = node.membership.lease(slot: slot) else {
                    throw RPCError.notOwner
                }
                return FabricText("\(node.name) \(lease.epoch)")
            }
        case 2:
            try await call.unary { (text: FabricText, _) in
                notes.append(text.text)
                return text
            }
        default: throw call.unknownMethod
        }
    }
}
