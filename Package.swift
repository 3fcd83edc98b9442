// swift-tools-version:6.2
import PackageDescription

/// The settings of every target; Swift 6 mode comes from the tools version.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Modules that are optimised in debug builds as well, because tests spend most of their time in
/// them: without specialisation, generic code over bytes is many times slower.
let alwaysOptimised: Set = [
    "ArchitectureTests", "Console", "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol",
    "ReferenceServer", "RegularExpressions", "Scenario", "Session", "Transcript",
]

/// SwiftPM refuses such flags in a package that another package fetches.
let isFetched = Context.packageDirectory.contains("/checkouts/")

func settings(of target: String) -> [SwiftSetting] {
    guard alwaysOptimised.contains(target), !isFetched else { return strict }
    let flags = [
        "-O", "-wmo", "-num-threads", "2", "-disable-batch-mode", "-assert-config", "Debug",
    ]
    return strict + [.unsafeFlags(flags, .when(configuration: .debug))]
}

func library(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources,
        swiftSettings: settings(of: name))
}

func tests(
    of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
        swiftSettings: strict)
}

let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "linejudge",
    products: [
        .library(name: "LineProtocol", targets: ["LineProtocol"]),
        .library(name: "DialectFiles", targets: ["DialectFiles"]),
        .library(name: "ChatModel", targets: ["ChatModel"]),
        .library(name: "ChatStructures", targets: ["ChatModel", "ChatStructures"]),
        .library(name: "ChatClient", targets: ["ChatModel", "ChatClient", "Transport"]),
        .library(name: "TransportTLS", targets: ["TransportTLS"]),
        .executable(name: "linejudge", targets: ["linejudge"]),
        // For the package Tests/Fuzzing.
        .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    ],
    traits: [
        .default(enabledTraits: ["TLS"]),
        .trait(
            name: "TLS",
            description: "TLS connections and servers, with BoringSSL, which takes long to build"),
        .trait(
            name: "Capture",
            description:
                "Filters in tcpdump's language and live traffic for `linejudge decode`; needs libpcap-dev"
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // From the lowest layer up; Tests/ArchitectureTests/Layers.swift declares the order.
        library("Diagnostics", []),
        library("LineProtocol", []),
        library("RegularExpressions", []),
        // Imports only CYaml of Yams; the decision about Foundation says why.
        library(
            "DialectFiles",
            ["CDialects", "Diagnostics", "LineProtocol", .product(name: "Yams", package: "Yams")],
            exclude: ["Dialects"]),
        // The built-in dialects as bytes.
        .target(name: "CDialects"),
        library("Scenario", ["Diagnostics", "LineProtocol", "RegularExpressions"]),
        library("ChatModel", ["LineProtocol"]),
        library("ChatStructures", ["LineProtocol", "ChatModel"]),
        // Outcomes of run, check and load, as values and as files.
        library("Results", ["Diagnostics", "LineProtocol"]),
        // A dialect whose behaviours are parsed, and the patterns and templates of its lines.
        library(
            "DialectModel",
            ["Diagnostics", "DialectFiles", "LineProtocol", "RegularExpressions", "Scenario"]),
        library(
            "Session",
            [
                "DialectModel", "Diagnostics", "LineProtocol", "RegularExpressions", "Results",
                "Scenario",
            ]),
        library(
            "Transcript",
            ["DialectModel", "Diagnostics", "LineProtocol", "Results", "Scenario", "Session"]),
        library(
            "Transport",
            [
                "Diagnostics", "LineProtocol", nioCore, nioPosix,
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]),
        library(
            "TransportTLS",
            [
                "Diagnostics", "Transport", nioCore,
                .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["TLS"])),
                .product(
                    name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
            ]),
        library(
            "SessionTransport",
            ["Diagnostics", "Scenario", "Session", "Transport", nioCore, nioPosix]),
        library(
            "ChatClient", ["LineProtocol", "ChatModel", "Transport", nioCore, nioPosix, log]),
        library(
            "HTTPEndpoint",
            [
                "Transport", nioCore, nioPosix, .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        library(
            "ReferenceServer",
            [
                "ChatModel", "Diagnostics", "DialectModel", "HTTPEndpoint", "LineProtocol",
                "Scenario", "Transport", nioCore, nioPosix, log,
            ]),
        // What Glibc's module lacks: waiting for thousands of sockets, and other system calls.
        .target(name: "CEpoll"),
        // Standard streams, files, signals and the environment of a command.
        library(
            "Console",
            ["CEpoll", "Diagnostics", "DialectFiles", "Results", "Scenario", "Transport"]),
        library(
            "Runner",
            [
                "CEpoll", "ChatModel", "Console", "Diagnostics", "DialectFiles", "DialectModel",
                "LineProtocol", "Results", "Scenario", "Session", "SessionTransport", "Transport",
                "TransportTLS", nioCore, nioPosix,
            ]),
        library(
            "Capture",
            [
                "CPrefetch", "Console", "DialectFiles", "DialectModel", "Diagnostics",
                "LineProtocol", "Results", "Transcript",
                .target(name: "CBoringSSL", condition: .when(traits: ["TLS"])),
                // Contains the functions that CBoringSSL declares.
                .product(
                    name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
            ]),
        // Declarations of BoringSSL's functions for decrypting TLS.
        .target(name: "CBoringSSL"),
        // libpcap: filters and live traffic, behind the trait.
        .systemLibrary(
            name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),
        library(
            "LiveCapture",
            [
                "Capture", "Console", "Diagnostics", "Results",
                .target(name: "CPcap", condition: .when(traits: ["Capture"])),
            ]),
        // The CPU's instruction for loading memory early.
        .target(name: "CPrefetch"),
        library(
            "Load",
            [
                "CEpoll", "Console", "Diagnostics", "DialectFiles", "DialectModel", "HTTPEndpoint",
                "LineProtocol", "RegularExpressions", "Results", "Runner", "Scenario", "Session",
                "SessionTransport", "Transport", "TransportTLS", nioCore, nioPosix,
            ]),
        library(
            "Recorder",
            [
                "Console", "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol",
                "Results", "Runner", "Scenario", "Session", "SessionTransport", "Transcript",
                "Transport", "TransportTLS", nioCore, nioPosix,
            ]),
        library(
            "Conformance",
            [
                "Console", "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol",
                "Results", "Runner", "Scenario", "Session", "SessionTransport", "Transport",
                "TransportTLS",
            ]),
        library(
            "Report",
            ["Diagnostics", "LineProtocol", "Results"], resources: [.embedInCode("Templates")]),
        // Each command's work with its server, progress, reports and exit code.
        library(
            "Jobs",
            [
                "Capture", "ChatModel", "Conformance", "Console", "Diagnostics", "DialectFiles",
                "DialectModel", "HTTPEndpoint", "LineProtocol", "LiveCapture", "Load", "Recorder",
                "ReferenceServer", "Report", "Results", "Runner", "Scenario", "Session",
                "SessionTransport", "Transport", "TransportTLS",
            ]),
        // Help texts, manual pages and the reference of the command line.
        library("Manual", ["Console", "Diagnostics", "DialectFiles", "Report", "Results"]),
        .executableTarget(
            name: "linejudge",
            dependencies: [
                "Capture", "Conformance", "Console", "Diagnostics", "DialectFiles",
                "DialectModel", "Jobs", "LineProtocol", "LiveCapture", "Load", "Manual",
                "Recorder", "ReferenceServer", "Report", "Results", "Runner", "Scenario",
                "Session", "Transport", "TransportTLS", log,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        // What the README shows; compiled and run by a test.
        .executableTarget(
            name: "ChatExample", dependencies: ["ChatClient", "DialectFiles"],
            path: "Examples/Chat", swiftSettings: strict),

        tests(of: "Diagnostics"),
        // Counts allocations, for the test that none are made for a message.
        .target(name: "AllocationCount", path: "Tests/AllocationCount"),
        // Servers for tests: one on a network without sockets whose clock does not wait, and one that fails.
        .target(
            name: "TestServers",
            dependencies: [
                "Conformance", "LineProtocol", "ReferenceServer", "Results", "Runner", "Scenario",
                "Session", "SessionTransport", "Transport", nioCore, nioPosix,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/TestServers", swiftSettings: strict),
        // Readers of input from outside, for libFuzzer and for a test that replays the corpora.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Capture", "Conformance", "Diagnostics", "DialectFiles", "DialectModel",
                "HTTPEndpoint", "LineProtocol", "Load", "RegularExpressions", "Results", "Runner",
                "Scenario", "Session", "Transcript", "Transport", nioCore,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/FuzzTargets", swiftSettings: strict),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzTargets", "RepositoryFiles"],
            swiftSettings: strict),
        .target(name: "RepositoryFiles", path: "Tests/RepositoryFiles", swiftSettings: strict),
        .target(name: "CSpawn", path: "Tests/CSpawn"),
        tests(of: "LineProtocol", ["AllocationCount"]),
        tests(of: "RegularExpressions"),
        tests(
            of: "DialectFiles", ["RepositoryFiles", "Diagnostics", "LineProtocol", "Scenario"],
            exclude: ["Fixtures"]),
        tests(
            of: "Scenario",
            ["RepositoryFiles", "Diagnostics", "LineProtocol", "RegularExpressions"],
            exclude: ["Fixtures", "Tools"]),
        tests(of: "ChatModel", ["RepositoryFiles", "LineProtocol", "DialectFiles"]),
        tests(of: "ChatStructures", ["LineProtocol", "ChatModel", "DialectFiles"]),
        tests(
            of: "ChatClient",
            [
                "ChatExample", "ChatModel", "ChatStructures", "Diagnostics", "DialectFiles",
                "LineProtocol", "ReferenceServer", "RepositoryFiles", "Transport", "TransportTLS",
                nioCore, nioPosix, log,
            ]),
        tests(
            of: "DialectModel", ["RepositoryFiles", "Diagnostics", "DialectFiles", "LineProtocol"]),
        tests(
            of: "Session",
            [
                "RepositoryFiles",
                "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol", "Results",
                "Scenario",
            ]),
        tests(of: "Results", ["Diagnostics", "LineProtocol"]),
        tests(
            of: "Transcript",
            ["DialectModel", "Diagnostics", "LineProtocol", "Scenario", "Session", "DialectFiles"]),
        tests(
            of: "Recorder",
            [
                "RepositoryFiles",
                "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol", "ReferenceServer",
                "Scenario", "Session", "SessionTransport", "Transcript", "Transport",
            ]),
        tests(
            of: "Transport",
            [
                "Diagnostics", "DialectFiles", "LineProtocol", nioCore,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        tests(
            of: "SessionTransport",
            [
                "Diagnostics", "LineProtocol", "Scenario", "Session", "Transport", "TransportTLS",
                nioCore,
                nioPosix,
            ]),
        tests(
            of: "ReferenceServer",
            [
                "ChatModel", "Diagnostics", "DialectFiles", "LineProtocol", "Transport", nioCore,
                nioPosix, log,
            ]),
        tests(
            of: "HTTPEndpoint",
            [
                "Transport", nioCore, .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        tests(
            of: "Runner",
            [
                "ChatModel", "Diagnostics", "LineProtocol", "Results", "Scenario", "Session",
                "SessionTransport", "Transport",
            ]),
        tests(
            of: "Capture",
            [
                "RepositoryFiles",
                "Console", "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol",
                "ReferenceServer",
                "Results", "Scenario", "Session", "SessionTransport", "Transcript", "Transport",
            ], exclude: ["Golden", "Tools"]),
        tests(of: "Console"),
        tests(of: "LiveCapture", ["DialectModel", "Capture", "LineProtocol", "DialectFiles"]),
        tests(
            of: "Load",
            [
                "RepositoryFiles",
                "AllocationCount", "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol",
                "ReferenceServer", "Results", "Runner", "Scenario", "Session", "Transport",
            ]),
        tests(
            of: "Conformance",
            [
                "RepositoryFiles",
                "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol", "ReferenceServer",
                "Report", "Results", "Runner", "Scenario", "Session", "SessionTransport",
                "TestServers", "Transport",
            ]),
        tests(
            of: "Report",
            ["Console", "RepositoryFiles", "LineProtocol", "Diagnostics", "Results"],
            exclude: ["Golden", "Tools"]),
        // Keeps targets, and the folders within them, in layers.
        .testTarget(
            name: "ArchitectureTests", dependencies: ["RepositoryFiles"],
            swiftSettings: settings(of: "ArchitectureTests")),
        .testTarget(
            name: "RealServerTests",
            dependencies: [
                "Conformance", "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol",
                "Load", "ReferenceServer", "RepositoryFiles", "Results", "Runner", "Scenario",
                "Session", "SessionTransport", "TestServers", "Transport",
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "CSpawn", "Diagnostics", "DialectFiles", "LineProtocol", "Load", "RepositoryFiles",
                "TestServers", "linejudge",
            ],
            exclude: ["Fixtures", "Tools"],
            swiftSettings: strict),
    ]
)
