import Domain
import Numbering
package import RPC
import Store
package import Wire

extension DirectoryHandler {
    package func lookUpNumber(
        _ request: DirectoryV1.LookUpNumberRequest, context: CallContext
    ) async throws -> DirectoryV1.LookUpNumberResponse {
        var response = DirectoryV1.LookUpNumberResponse()
        let region = request.region.isEmpty ? defaultRegion : try region(request.region)
        switch NumberingPlan(region: region).read(request.dialled) {
        case .emergency: response.result = .emergency
        // A name is no incomplete number: nobody here has it.
        case .invalid(.notANumber): response.result = .unknown
        case .invalid: response.result = .invalid
        case .number(let number, _):
            response.phoneNumber = number.description
            response.callee = try await holder(of: number)
            response.result = response.callee == nil ? .unknown : .found
        }
        return response
    }
}
