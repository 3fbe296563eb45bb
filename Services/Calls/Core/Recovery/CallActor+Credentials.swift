import Domain
import Observability
import RPC
import SIP
import Wire

// Passwords of trunks, which are stored with no call: another process asks for them again.
extension CallActor {
    /// How often the directory is asked, a second apart; it may be starting itself.
    private static let attempts = 5

    /// Goes on with a call through trunks. INVITEs that may not have gone out need their passwords at once; else they are
    /// needed when the far side asks for them.
    func authorizeLegs() async {
        let wanted = session.legs.indices.filter { session.legs[$0].target.isTrunk && isOpen($0) }
        guard !wanted.isEmpty else { return }
        let work = Task { for index in wanted { await authorize(index) } }
        if wanted.contains(where: machine.fork.unheard.contains) { await work.value }
    }

    private func isOpen(_ index: Int) -> Bool {
        machine.fork.winner == index || machine.fork.open.contains(index) || machine.fork.legs[index] == .waiting
    }

    private func authorize(_ index: Int) async {
        var request = DirectoryV1.GetTrunkRequest()
        request.trunk = session.legs[index].target.id
        for attempt in 1...CallActor.attempts where !machine.isEnded {
            do {
                let found = try await services.directory.getTrunkCredentials(request)
                guard !found.username.isEmpty else { return }
                let credentials = SIPCredentials(user: found.username, password: found.password)
                session.credentials[index] = credentials
                guard let invite = session.legs[index].invite else { return }
                return calls.setCredentials(credentials, of: invite.id, in: session.legs[index].dialog?.id)
            } catch {
                // A trunk that was deleted has none any more.
                if error.code == .notFound { return }
                services.logger.warning(
                    "credentials of a trunk cannot be asked for",
                    [.call: .id(id.description), .status: .slug(error.code.slug)])
            }
            if attempt < CallActor.attempts { try? await Task.sleep(for: .seconds(1)) }
        }
    }
}
