import WireFormat

/// The messages of the golden bytes.
enum Samples {
    static let scalars = ConformanceV1.Scalars(
        doubleValue: -1.5, floatValue: 0.25, int32Value: -42, int64Value: -9_007_199_254_740_993,
        uint32Value: .max, uint64Value: .max, sint32Value: .min, sint64Value: .min, fixed32Value: 0x1234_5678,
        fixed64Value: 0x0123_4567_89ab_cdef, sfixed32Value: -7, sfixed64Value: -8, boolValue: true,
        stringValue: "grüß ☎ 📞 \"q\" /", bytesValue: [0, 1, 254, 255, 0], mood: .negative)

    /// Everything present and default.
    static let optionals = ConformanceV1.Optionals(
        doubleValue: 0, floatValue: 0, int32Value: 0, int64Value: 0, uint32Value: 0, uint64Value: 0, sint32Value: 0,
        sint64Value: 0, fixed32Value: 0, fixed64Value: 0, sfixed32Value: 0, sfixed64Value: 0, boolValue: false,
        stringValue: "", bytesValue: [], mood: .unspecified, scalars: .init())

    static let lists = ConformanceV1.Lists(
        doubles: [0, 1e300, -2.5], floats: [0, 1.5], int32s: [0, -1, .max], int64s: [0, -1, .max],
        uint32s: [0, 1, .max], uint64s: [0, .max], sint32s: [0, -1, 1], sint64s: [0, -1, 1], fixed32s: [0, 1],
        fixed64s: [0, 1], sfixed32s: [0, -1], sfixed64s: [0, -1], bools: [false, true], strings: ["", "a", "b"],
        datas: [[], [0, 1]], moods: [.unspecified, .calm, .negative, .unrecognized(99)],
        scalars: [.init(), .init(int32Value: 1)],
        times: [Timestamp(), Timestamp(seconds: 1_772_355_900, nanos: 250_000_000)])

    static let maps = ConformanceV1.Maps(
        textByText: ["b": "2", "a": "", "": "empty"], dataByInt32: [-1: [0xff]], doubleByInt64: [1 << 40: 0.5],
        boolByUint32: [7: true], moodByUint64: [8: .calm], scalarsByBool: [true: .init(int32Value: 5), false: .init()],
        timeBySfixed64: [-3: Timestamp(seconds: 1)])

    static let names = ConformanceV1.Names(
        id: "1", accountID: "2", userIDs: ["3", "4"], default: "5", selfField: "6", descriptionField: "7", class: "8",
        mixedCaseName: "9", renamed: "10", alias: .uno, value2: "11", secret: "12", secrets: ["13"],
        hidden: ["k": "14"], initField: "15", shown: "16", inner: .init(at: Timestamp(nanos: 1)))
}
