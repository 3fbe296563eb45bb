/// A .proto file.
struct FileSchema {
    var name: String
    var package: String
    var isProto3: Bool
    var messages: [MessageSchema]
    var enums: [EnumSchema]
    var services: [ServiceSchema]
}

struct MessageSchema {
    /// As in `bellwire.calls.v1.Call`.
    var fullName: String
    var name: String
    var comment: [String]
    /// In the file's order.
    var fields: [FieldSchema]
    /// The names of oneofs, those of proto3 `optional` among them, and their comments.
    var oneofs: [(name: String, comment: [String])]
    var messages: [MessageSchema]
    var enums: [EnumSchema]
    /// The hidden message of a map field.
    var isMapEntry: Bool
}

struct FieldSchema {
    enum Kind: Equatable {
        case double, float, int32, int64, uint32, uint64, bool, string, bytes
        /// The full name of the type.
        case `enum`(String)
        case message(String)
        case group
    }

    var name: String
    var jsonName: String
    var number: Int
    var kind: Kind
    var isRepeated: Bool
    /// Declared with the keyword `optional`.
    var isOptional: Bool
    /// Index of the oneof; nil also for `optional` fields.
    var oneof: Int?
    /// The option `sensitive`.
    var isSensitive: Bool
    var comment: [String]
}

struct EnumSchema {
    struct Value {
        var name: String
        var number: Int32
        var comment: [String]
    }

    var fullName: String
    var name: String
    var comment: [String]
    var values: [Value]
}

struct ServiceSchema {
    struct Method {
        enum Routing: UInt64 {
            case any = 0
            case pinned = 1
            case instance = 2
        }

        var name: String
        var comment: [String]
        var input: String
        var output: String
        var clientStreaming: Bool
        var serverStreaming: Bool
        var isIdempotent: Bool
        var routing: Routing
        /// The request's field with the pinned id, empty when not pinned.
        var pinnedBy: String
        /// 0: the default.
        var deadlineMilliseconds: Int
        var roles: [String]
    }

    var fullName: String
    var name: String
    var comment: [String]
    var methods: [Method]
}
