import CProtobufC
import CWire

/// Comments by the path of what they stand before, as descriptor.proto defines paths.
private struct Comments {
    private var byPath: [[Int32]: [String]] = [:]

    init(_ info: UnsafeMutablePointer<Google__Protobuf__SourceCodeInfo>?) {
        guard let info = info?.pointee else { return }
        for location in array(info.location, info.n_location) {
            let text = string(location.pointee.leading_comments)
            guard !text.isEmpty else { continue }
            let path = [Int32](UnsafeBufferPointer(start: location.pointee.path, count: location.pointee.n_path))
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                String(line.first == " " ? line.dropFirst() : line)
            }
            while lines.last?.isEmpty == true { lines.removeLast() }
            byPath[path] = lines
        }
    }

    subscript(_ path: [Int32]) -> [String] { byPath[path] ?? [] }
}

extension FileSchema {
    init(_ c: Google__Protobuf__FileDescriptorProto) {
        let comments = Comments(c.source_code_info)
        name = string(c.name)
        package = string(c.package)
        isProto3 = string(c.syntax) == "proto3"
        let scope = package
        messages = array(c.message_type, c.n_message_type).enumerated().map { index, message in
            MessageSchema(message.pointee, scope, comments, [4, Int32(index)])
        }
        enums = array(c.enum_type, c.n_enum_type).enumerated().map { index, type in
            EnumSchema(type.pointee, scope, comments, [5, Int32(index)])
        }
        services = array(c.service, c.n_service).enumerated().map { index, service in
            ServiceSchema(service.pointee, scope, comments, [6, Int32(index)])
        }
    }
}

extension MessageSchema {
    fileprivate init(
        _ c: Google__Protobuf__DescriptorProto, _ scope: String, _ comments: Comments, _ path: [Int32]
    ) {
        name = string(c.name)
        let fullName = "\(scope).\(name)"
        self.fullName = fullName
        comment = comments[path]
        isMapEntry = c.options?.pointee.map_entry == 1
        fields = array(c.field, c.n_field).enumerated().map { index, field in
            FieldSchema(field.pointee, comments[path + [2, Int32(index)]])
        }
        oneofs = array(c.oneof_decl, c.n_oneof_decl).enumerated().map { index, oneof in
            (string(oneof.pointee.name), comments[path + [8, Int32(index)]])
        }
        messages = array(c.nested_type, c.n_nested_type).enumerated().map { index, message in
            MessageSchema(message.pointee, fullName, comments, path + [3, Int32(index)])
        }
        enums = array(c.enum_type, c.n_enum_type).enumerated().map { index, type in
            EnumSchema(type.pointee, fullName, comments, path + [4, Int32(index)])
        }
    }
}

extension FieldSchema {
    fileprivate init(_ c: Google__Protobuf__FieldDescriptorProto, _ comment: [String]) {
        name = string(c.name)
        jsonName = string(c.json_name)
        number = Int(c.number)
        // Type names come with a leading dot.
        let typeName = String(string(c.type_name).dropFirst())
        kind =
            switch c.type.rawValue {
            case 1: .double
            case 2: .float
            case 3, 16, 18: .int64
            case 4, 6: .uint64
            case 5, 15, 17: .int32
            case 7, 13: .uint32
            case 8: .bool
            case 9: .string
            case 11: .message(typeName)
            case 12: .bytes
            case 14: .enum(typeName)
            default: .group
            }
        isRepeated = c.label.rawValue == 3
        isOptional = c.proto3_optional == 1
        oneof = c.has_oneof_index == 1 && !isOptional ? Int(c.oneof_index) : nil
        let options = CustomOptions(c.options.map { UnsafeRawPointer($0) })
        isSensitive = options.number(50011) == 1
        self.comment = comment
    }
}

extension EnumSchema {
    fileprivate init(
        _ c: Google__Protobuf__EnumDescriptorProto, _ scope: String, _ comments: Comments, _ path: [Int32]
    ) {
        name = string(c.name)
        fullName = "\(scope).\(name)"
        comment = comments[path]
        values = array(c.value, c.n_value).enumerated().map { index, value in
            Value(
                name: string(value.pointee.name), number: value.pointee.number,
                comment: comments[path + [2, Int32(index)]])
        }
    }
}

extension ServiceSchema {
    fileprivate init(
        _ c: Google__Protobuf__ServiceDescriptorProto, _ scope: String, _ comments: Comments, _ path: [Int32]
    ) {
        name = string(c.name)
        fullName = "\(scope).\(name)"
        comment = comments[path]
        methods = array(c.method, c.n_method).enumerated().map { index, method in
            Method(method.pointee, comments[path + [2, Int32(index)]])
        }
    }
}

extension ServiceSchema.Method {
    fileprivate init(_ c: Google__Protobuf__MethodDescriptorProto, _ comment: [String]) {
        let options = CustomOptions(c.options.map { UnsafeRawPointer($0) })
        name = string(c.name)
        self.comment = comment
        input = String(string(c.input_type).dropFirst())
        output = String(string(c.output_type).dropFirst())
        clientStreaming = c.client_streaming == 1
        serverStreaming = c.server_streaming == 1
        isIdempotent = (c.options?.pointee.idempotency_level.rawValue ?? 0) != 0
        routing = options.number(50001).flatMap(Routing.init) ?? .any
        pinnedBy = options.texts(50002).last ?? ""
        deadlineMilliseconds = Int(options.number(50003) ?? 0)
        roles = options.texts(50004)
    }
}
