/// Builds a message's log text: `Party(local: true, userID: "…", number: hidden)`. Defaults are left out.
struct RedactedText: FieldVisitor {
    private var text: String
    private var isFirst = true

    init(messageName: String) {
        text = messageName.split(separator: ".").last.map(String.init) ?? messageName
        text += "("
    }

    consuming func finished() -> String { text + ")" }

    private mutating func begin(_ name: StaticString, hidden: Bool) -> Bool {
        text += isFirst ? "" : ", "
        isFirst = false
        text += "\(name): "
        text += hidden ? "hidden" : ""
        return !hidden
    }

    mutating func visit<Value: WireValue>(_ name: StaticString, _ value: Value, sensitive: Bool) {
        guard value != .wireDefault, begin(name, hidden: sensitive) else { return }
        value.describe(into: &text)
    }

    mutating func visit<Value: WireValue>(_ name: StaticString, _ value: Value?, sensitive: Bool) {
        guard let value, begin(name, hidden: sensitive) else { return }
        value.describe(into: &text)
    }

    mutating func visit<Value: WireValue>(_ name: StaticString, _ values: [Value], sensitive: Bool) {
        guard !values.isEmpty, begin(name, hidden: sensitive) else { return }
        text += "["
        for (index, value) in values.enumerated() {
            text += index == 0 ? "" : ", "
            value.describe(into: &text)
        }
        text += "]"
    }

    mutating func visit<Key: WireMapKey, Value: WireValue>(
        _ name: StaticString, _ values: [Key: Value], sensitive: Bool
    ) {
        guard !values.isEmpty, begin(name, hidden: sensitive) else { return }
        text += "["
        for (index, entry) in values.sorted(by: { Key.comesFirst($0.key, $1.key) }).enumerated() {
            text += index == 0 ? "" : ", "
            entry.key.describe(into: &text)
            text += ": "
            entry.value.describe(into: &text)
        }
        text += "]"
    }
}
