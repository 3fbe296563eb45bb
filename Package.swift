// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: Swift 6 mode and the upcoming features of the house style.
let base: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Targets that never touch a C pointer are checked for it.
let safe: [SwiftSetting] = base + [.strictMemorySafety()]

/// A C library as one module map and shim under Shared/System.
func system(_ name: String, pkgConfig: String? = nil, package: String) -> Target {
    .systemLibrary(
        name: name, path: "Shared/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

func shared(
    _ name: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = safe,
    exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude, resources: resources,
        swiftSettings: settings)
}

/// A service: its logic (`<Name>Core`) and its executable, which is wiring only.
func service(
    _ name: String, executable: String, core: [Target.Dependency], wiring: [Target.Dependency] = [],
    resources: [Resource]? = nil
) -> [Target] {
    [
        .target(
            name: "\(name)Core", dependencies: core, path: "Services/\(name)/Core", resources: resources,
            swiftSettings: safe),
        .executableTarget(
            name: executable, dependencies: [.target(name: "\(name)Core"), "Host", "Runtime"] + wiring,
            path: "Services/\(name)/App", swiftSettings: safe),
    ]
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)Tests", resources: resources,
        swiftSettings: base)
}

let serviceStack: [Target.Dependency] = [
    "Domain", "Observability", "Runtime", "Store", "Bus", "RPC", "WireFormat", "Wire",
]

var targets: [Target] = [
    // C libraries
    system("CZMQ", package: "libzmq3-dev"),
    system("CProtobufC", package: "libprotobuf-c-dev"),
    system("CPQ", pkgConfig: "libpq", package: "libpq-dev"),
    system("COpus", pkgConfig: "opus", package: "libopus-dev"),
    system("CSofiaSIP", pkgConfig: "sofia-sip-ua", package: "libsofia-sip-ua-dev"),
    .target(
        name: "CSIP", dependencies: ["CSofiaSIP"], path: "Shared/System/CSIP",
        cSettings: [.unsafeFlags(["-Wno-deprecated-declarations"])]),
    .target(
        name: "CPhoneNumber", path: "Shared/System/CPhoneNumber",
        linkerSettings: [.linkedLibrary("phonenumber")]),
    .target(name: "CLinux", path: "Shared/System/CLinux"),
    .target(name: "CWire", dependencies: ["CProtobufC"], path: "Shared/Wire/C"),
    .target(name: "CWireConformance", dependencies: ["CProtobufC", "CWire"], path: "Tests/Fixtures/Wire/C"),

    // Foundations
    shared("Domain", []),
    shared("Observability", []),
    shared("Runtime", ["CLinux", "Observability"], settings: base),
    shared("Numbering", ["CPhoneNumber", "Domain"], settings: base),
    shared("ZeroMQ", ["CZMQ", "Observability", "Runtime"], settings: base),
    shared("WireFormat", []),
    shared("RPC", ["Domain", "Observability", "Runtime", "ZeroMQ", "WireFormat"], settings: base),
    .target(
        name: "Wire", dependencies: ["CWire", "CProtobufC", "WireFormat", "RPC"], path: "Shared/Wire/Swift",
        swiftSettings: base),
    shared(
        "Store", ["CPQ", "Domain", "Observability", "Runtime"], settings: base, resources: [.copy("Migrations")]),
    shared("Bus", ["Domain", "Observability", "Runtime", "Store", "ZeroMQ", "RPC"], settings: base),
    shared("SIP", ["CSIP", "Domain", "Observability", "Runtime"], settings: base),
    shared("Media", ["COpus", "Domain", "Observability", "Runtime"], settings: base),
    shared("Host", ["Domain", "Observability", "Runtime", "Store", "Bus", "RPC", "Wire", "WireFormat", "ZeroMQ"]),
    .executableTarget(
        name: "protoc-gen-bellwire", dependencies: ["CWire", "CProtobufC"], path: "Shared/RPCGenerator",
        exclude: ["Protos", "generate.sh"], swiftSettings: base),
]

targets += service("Directory", executable: "bellwire-directory", core: serviceStack + ["Numbering"])
targets += service(
    "Calls", executable: "bellwire-calls", core: serviceStack + ["SIP", "Media", "Numbering"],
    wiring: ["Bus", "Domain", "Numbering"])
targets += service("Records", executable: "bellwire-records", core: serviceStack, wiring: ["Bus"])
targets += service(
    "Voicemail", executable: "bellwire-voicemail", core: serviceStack + ["Media"], wiring: ["Bus"],
    resources: [.copy("Resources")])
targets += service(
    "Notifications", executable: "bellwire-notifications", core: serviceStack, wiring: ["Wire"])
targets += service("Admin", executable: "bellwire", core: serviceStack + ["ZeroMQ"])

targets += [
    tests("Domain", ["Domain"]),
    tests("Observability", ["Observability"]),
    tests("Runtime", ["Runtime", "Observability"]),
    tests("Numbering", ["Numbering", "Domain"]),
    tests("Wire", ["Wire", "WireFormat", "RPC", "CWire", "CWireConformance", "CProtobufC"]),
    tests("RPC", ["RPC", "Wire", "WireFormat", "Observability", "Runtime", "Domain", "ZeroMQ"]),
    .target(
        name: "TestSupport", dependencies: ["Observability", "Runtime", "Store"], path: "Tests/TestSupport",
        swiftSettings: base),
    tests("Store", ["Store", "TestSupport", "Observability", "Runtime", "Domain"]),
    tests("Bus", ["Bus", "Store", "TestSupport", "Observability", "Runtime", "Domain", "RPC", "ZeroMQ"]),
    tests("SIP", ["SIP", "Domain", "Observability"]),
    tests("Media", ["Media", "Domain", "Observability", "Runtime"]),
    tests(
        "Directory",
        [
            "DirectoryCore", "Wire", "WireFormat", "RPC", "Domain", "Numbering", "Store", "TestSupport",
            "Observability",
            "Runtime",
        ]),
    tests(
        "Calls",
        [
            "CallsCore", "Wire", "WireFormat", "RPC", "Domain", "Numbering", "SIP", "Store", "Bus", "TestSupport",
            "Observability", "Runtime", "Media",
        ]),
    tests(
        "Records",
        [
            "RecordsCore", "Wire", "WireFormat", "RPC", "Domain", "Store", "Bus", "TestSupport", "Observability",
            "Runtime",
        ]),
    tests(
        "Voicemail",
        [
            "VoicemailCore", "Wire", "WireFormat", "RPC", "Domain", "Store", "Bus", "Media", "TestSupport",
            "Observability",
            "Runtime",
        ]),
    tests(
        "Notifications",
        [
            "NotificationsCore", "Wire", "WireFormat", "RPC", "Domain", "Store", "Bus", "TestSupport", "Observability",
            "Runtime",
        ]),
    tests("Admin", ["AdminCore", "Wire", "WireFormat", "RPC", "Domain", "Observability", "Runtime", "ZeroMQ"]),
    // The processes of the tests of events and leases.
    .target(
        name: "FabricNode",
        dependencies: ["Bus", "Domain", "Observability", "RPC", "Runtime", "Store", "WireFormat", "ZeroMQ"],
        path: "Tests/Fabric/Node", swiftSettings: base),
    .executableTarget(
        name: "bellwire-test-node", dependencies: ["FabricNode"], path: "Tests/Fabric/App", swiftSettings: base),
    .testTarget(
        name: "Integration",
        dependencies: [
            "Bus", "Domain", "FabricNode", "Media", "Observability", "RPC", "Runtime", "Store", "TestSupport",
        ],
        path: "Tests/Integration", swiftSettings: base),
]

// `make bench` alone builds its load generators: BELLWIRE_BENCHMARKS=1.
if Context.environment["BELLWIRE_BENCHMARKS"] != nil {
    targets += [
        .target(name: "CWireFabric", dependencies: ["CProtobufC", "CWire"], path: "Tests/Benchmarks/Wire/C"),
        .executableTarget(
            name: "bellwire-bench",
            dependencies: [
                "Bus", "CProtobufC", "CWireFabric", "Domain", "Observability", "RPC", "Runtime", "Store",
                "Wire", "WireFormat", "ZeroMQ",
            ],
            path: "Tests/Benchmarks/Fabric", swiftSettings: base),
    ]
}

let package = Package(
    name: "bellwire",
    targets: targets,
    cLanguageStandard: .gnu11,
    cxxLanguageStandard: .gnucxx17
)
