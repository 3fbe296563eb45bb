import WireFormat

/// One message of each kind of field, with the bytes and the JSON that protobuf's own Python library (4.25) makes of it.
struct Golden: Sendable, CustomStringConvertible {
    let name: String
    let message: any WireMessage
    let hex: String
    let json: String

    var description: String { name }
    var bytes: [UInt8] { bytesFromHex(hex) }
    var type: any WireMessage.Type { Swift.type(of: message) }

    func isEqual(to other: any WireMessage) -> Bool {
        func isEqual<Message: WireMessage>(_ message: Message) -> Bool { message == other as? Message }
        return isEqual(message)
    }

    private init(_ name: String, _ message: any WireMessage, _ hex: String, _ json: String) {
        self.name = name
        self.message = message
        self.hex = hex
        self.json = json
    }

    static let all: [Golden] = [
        Golden(
            "scalars", Samples.scalars,
            "09000000000000f8bf150000803e18d6ffffffffffffffff0120ffffffffffffffefff0128ffffffff0f30ffffffffffffffffff0138"
                + "ffffffff0f40ffffffffffffffffff014d7856341251efcdab89674523015df9ffffff61f8ffffffffffffff680172156772c3"
                + "bcc39f20e2988e20f09f939e20227122202f7a050001feff008001feffffffffffffffff01",
            """
            {"boolValue":true,"bytesValue":"AAH+/wA=","doubleValue":-1.5,"fixed32Value":305419896,"fixed64Value":\
            "81985529216486895","floatValue":0.25,"int32Value":-42,"int64Value":"-9007199254740993","mood":\
            "MOOD_NEGATIVE","sfixed32Value":-7,"sfixed64Value":"-8","sint32Value":-2147483648,"sint64Value":\
            "-9223372036854775808","stringValue":"grüß ☎ 📞 \\"q\\" /","uint32Value":4294967295,"uint64Value":\
            "18446744073709551615"}
            """),
        Golden(
            "optionals", Samples.optionals,
            "09000000000000000015000000001800200028003000380040004d000000005100000000000000005d000000006100000000000000"
                + "00680072007a008001008a0100",
            """
            {"boolValue":false,"bytesValue":"","doubleValue":0,"fixed32Value":0,"fixed64Value":"0","floatValue":0,\
            "int32Value":0,"int64Value":"0","mood":"MOOD_UNSPECIFIED","scalars":{},"sfixed32Value":0,\
            "sfixed64Value":"0","sint32Value":0,"sint64Value":"0","stringValue":"","uint32Value":0,"uint64Value":"0"}
            """),
        Golden(
            "lists", Samples.lists,
            "0a1800000000000000009c7500883ce4377e00000000000004c01208000000000000c03f1a1000ffffffffffffffffff01ffffffff"
                + "07221400ffffffffffffffffff01ffffffffffffffff7f2a070001ffffffff0f320b00ffffffffffffffffff013a0300010242"
                + "030001024a0800000000010000005210000000000000000001000000000000005a0800000000ffffffff621000000000000000"
                + "00ffffffffffffffff6a02000172007201617201627a007a02000182010d0001feffffffffffffffff01638a01008a01021801"
                + "92010092010b08bc8290cd061080e59a77",
            """
            {"bools":[false,true],"datas":["","AAE="],"doubles":[0,1e+300,-2.5],"fixed32s":[0,1],"fixed64s":["0","1"],\
            "floats":[0,1.5],"int32s":[0,-1,2147483647],"int64s":["0","-1","9223372036854775807"],"moods":\
            ["MOOD_UNSPECIFIED","MOOD_CALM","MOOD_NEGATIVE",99],"scalars":[{},{"int32Value":1}],"sfixed32s":[0,-1],\
            "sfixed64s":["0","-1"],"sint32s":[0,-1,1],"sint64s":["0","-1","1"],"strings":["","a","b"],"times":\
            ["1970-01-01T00:00:00Z","2026-03-01T09:05:00.250Z"],"uint32s":[0,1,4294967295],"uint64s":["0",\
            "18446744073709551615"]}
            """),
        Golden(
            "maps", Samples.maps,
            "0a050a016112000a060a01621201320a090a001205656d707479120e08ffffffffffffffffff011201ff1a10088080808080201100"
                + "0000000000e03f2204080710012a040808100132060801120218053204080012003a0d09fdffffffffffffff12020801",
            """
            {"boolByUint32":{"7":true},"dataByInt32":{"-1":"/w=="},"doubleByInt64":{"1099511627776":0.5},\
            "moodByUint64":{"8":"MOOD_CALM"},"scalarsByBool":{"false":{},"true":{"int32Value":5}},"textByText":\
            {"":"empty","a":"","b":"2"},"timeBySfixed64":{"-3":"1970-01-01T00:00:01Z"}}
            """),
        Golden(
            "names", Samples.names,
            "0a01311201321a01331a01342201352a01363201373a01384201394a02313050015a023131620231326a02313372070a016b120231"
                + "347a02313582010231368a01040a021001",
            """
            {"accountId":"2","alias":"ONE","anotherName":"10","class":"8","default":"5","description":"7",\
            "hidden":{"k":"14"},"id":"1","init":"15","inner":{"at":"1970-01-01T00:00:00.000000001Z"},\
            "mixedCaseName":"9","secret":"12","secrets":["13"],"self":"6","shown":"16","userIds":["3","4"],\
            "value2":"11"}
            """),
        Golden("empty", ConformanceV1.Empty(), "", "{}"),
        Golden("empty text", ConformanceV1.Choices(choice: .text("")), "0a00", #"{"text":""}"#),
        Golden("empty data", ConformanceV1.Choices(choice: .data([])), "1200", #"{"data":""}"#),
        Golden("zero", ConformanceV1.Choices(choice: .number(0)), "1800", #"{"number":"0"}"#),
        Golden(
            "zero mood", ConformanceV1.Choices(choice: .mood(.unspecified)), "2000", #"{"mood":"MOOD_UNSPECIFIED"}"#),
        Golden(
            "nested", ConformanceV1.Choices(choice: .nested(.init(deeper: .init(accountID: "x")))),
            "2a050a030a0178", #"{"nested":{"deeper":{"accountId":"x"}}}"#),
        Golden(
            "two oneofs", ConformanceV1.Choices(choice: .flag(false), other: .ratio(2)), "3800490000000000000040",
            #"{"flag":false,"ratio":2}"#),
        Golden(
            "time before 1970",
            ConformanceV1.Choices(
                choice: .time(Timestamp(seconds: -1, nanos: 999_999_999)), other: .phoneNumber("+447700900123")),
            "321108ffffffffffffffffff0110ff93ebdc03420d2b343437373030393030313233",
            #"{"phoneNumber":"+447700900123","time":"1969-12-31T23:59:59.999999999Z"}"#),
    ]
}

func bytesFromHex(_ hex: String) -> [UInt8] {
    var digits = hex[...]
    var bytes: [UInt8] = []
    while !digits.isEmpty {
        bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
        digits = digits.dropFirst(2)
    }
    return bytes
}
