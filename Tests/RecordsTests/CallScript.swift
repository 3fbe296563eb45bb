import Domain
import RecordsCore
import Store

/// A call whose versions are made one after the other, a second apart.
struct CallScript {
    let id = BellwireID.make(slot: 7)
    let account = BellwireID.make()
    let owner = BellwireID.make()
    let persona = BellwireID.make()
    let number = BellwireID.make()
    let message = BellwireID.make()
    var local = "+447700900123"
    var remote = "+12025550123"
    var answered: StoreTime?
    var ended: StoreTime?
    private(set) var version: Int64 = 0
    private let start = StoreTime(microseconds: 1_760_000_000_000_000)

    func time(after seconds: Double) -> StoreTime {
        StoreTime(microseconds: start.microseconds + Int64((seconds * 1_000_000).rounded()))
    }

    func entry(of side: CallSide) -> RecordEntry { RecordEntry(owner: owner, id: id.callRecordID(of: side)) }

    mutating func view(_ side: CallSide, _ state: CallState, because termination: Termination? = nil) -> CallView {
        version += 1
        return CallView(
            side: side, callID: id, accountID: account, owner: owner, sudoOwner: persona, phoneNumberID: number,
            localPhoneNumber: local, remotePhoneNumber: remote, state: state, termination: termination,
            version: version, created: start, updated: time(after: Double(version)), answered: answered, ended: ended)
    }

    func voicemail(
        id: BellwireID? = nil, version: Int64, isAttached: Bool = true, seconds: UInt32 = 5
    ) -> VoicemailReference {
        VoicemailReference(
            id: id ?? message, version: version, isAttached: isAttached, durationSeconds: seconds,
            media: VoicemailReference.Media(key: "k", bucket: "b", region: "r"), updated: time(after: 100))
    }
}
