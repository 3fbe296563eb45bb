import Testing
import Wire
import WireFormat

@Suite("JSON form")
struct JSONTests {
    @Test("JSON is what another implementation writes", arguments: Golden.all)
    func writes(_ golden: Golden) throws {
        #expect(try golden.message.json() == golden.json)
    }

    @Test("JSON of another implementation is read", arguments: Golden.all)
    func reads(_ golden: Golden) throws {
        let message = try golden.type.init(json: golden.json)
        #expect(golden.isEqual(to: message))
    }

    @Test("Original names, null, unknown fields, numbers as text and text as numbers are accepted")
    func lenient() throws {
        let message = try ConformanceV1.Scalars(
            json: """
                {"int32_value": "7", "int64_value": 8, "uint64Value": 1e3, "float_value": "1.5", "double_value": "NaN",
                 "string_value": null, "nobody": {"knows": [1, 2]}, "mood": 1, "bytes_value": "-_8"}
                """)
        #expect(message.int32Value == 7 && message.int64Value == 8 && message.uint64Value == 1000)
        #expect(message.floatValue == 1.5 && message.doubleValue.isNaN && message.stringValue == "")
        #expect(message.mood == .calm && message.bytesValue == [0xfb, 0xff])
        #expect(try ConformanceV1.Scalars(json: #"{"mood": "negative"}"#).mood == .negative)
        #expect(try ConformanceV1.Names(json: #"{"renamed": "x"}"#).renamed == "x")
        #expect(try ConformanceV1.Names(json: #"{"anotherName": "x"}"#).renamed == "x")
        #expect(try ConformanceV1.Optionals(json: #"{"stringValue": null}"#).stringValue == nil)
    }

    @Test("Numbers that are none have names")
    func notNumbers() throws {
        let message = ConformanceV1.Lists(doubles: [.nan, .infinity, -.infinity], floats: [-.infinity])
        let json = try message.json()
        #expect(json == #"{"doubles":["NaN","Infinity","-Infinity"],"floats":["-Infinity"]}"#)
        let read = try ConformanceV1.Lists(json: json)
        #expect(read.doubles[0].isNaN && read.doubles[1...] == [.infinity, -.infinity])
    }

    @Test(
        "What does not fit is refused, naming the field and not the value",
        arguments: [
            (#"{"int32Value": 2147483648}"#, "int32Value"), (#"{"uint32Value": -1}"#, "uint32Value"),
            (#"{"int64Value": "9223372036854775808"}"#, "int64Value"), (#"{"int32Value": 1.5}"#, "int32Value"),
            (#"{"boolValue": "true"}"#, "boolValue"), (#"{"bytesValue": "a"}"#, "bytesValue"),
            (#"{"bytesValue": "!!!!"}"#, "bytesValue"), (#"{"mood": "MOOD_SECRET"}"#, "mood"),
            (#"{"stringValue": 5}"#, "stringValue"), (#"{"stringValue": "a\u0000"}"#, "stringValue"),
            (#"{"stringValue": "secret"#, ""), ("[]", ""), ("", ""),
        ])
    func refuses(_ json: String, _ path: String) {
        do {
            _ = try ConformanceV1.Scalars(json: json)
            Issue.record("accepted")
        } catch {
            guard case .json(let at, let reason) = error else {
                Issue.record("another error")
                return
            }
            #expect(at == path)
            #expect(!reason.lowercased().contains("secret"))
        }
    }

    @Test("The path goes through lists, maps and messages")
    func path() {
        #expect(throws: WireError.json(path: "scalars[1].mood", reason: "is not valid")) {
            try ConformanceV1.Lists(json: #"{"scalars": [{}, {"mood": "x"}]}"#)
        }
        #expect(throws: WireError.json(path: "scalarsByBool.true.mood", reason: "is not valid")) {
            try ConformanceV1.Maps(json: #"{"scalarsByBool": {"true": {"mood": "x"}}}"#)
        }
        #expect(throws: WireError.json(path: "scalarsByBool.yes", reason: "is not valid")) {
            try ConformanceV1.Maps(json: #"{"scalarsByBool": {"yes": {}}}"#)
        }
    }

    @Test("Two members of one oneof are refused")
    func twoMembers() {
        #expect(throws: WireError.json(path: "number", reason: "is not valid")) {
            try ConformanceV1.Choices(json: #"{"text": "a", "number": 1}"#)
        }
    }

    @Test("Deep nesting and much of it end in an error")
    func deep() {
        for count in [600, 100_000] {
            let json = #"{"nobody": "# + String(repeating: "[", count: count)
            #expect(throws: WireError.self) { try ConformanceV1.Scalars(json: json) }
            let closed = json + String(repeating: "]", count: count) + "}"
            _ = try? ConformanceV1.Scalars(json: closed)
        }
        #expect(throws: WireError.self) {
            try ConformanceV1.Scalars(json: String(repeating: " ", count: WireLimits.maximumBytes + 1))
        }
    }
}
