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

func library(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
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
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        // From the lowest layer up; Tests/ArchitectureTests/Layers.swift declares the order.
        library("Diagnostics", []),
        library("LineProtocol", []),
        library("RegularExpressions", []),
        // libyaml's parser.
        .target(
            name: "CYaml", exclude: ["LICENSE"],
            cSettings: [
                .define("YAML_VERSION_STRING", to: "\"0.2.5\""),
                .define("YAML_VERSION_MAJOR", to: "0"), .define("YAML_VERSION_MINOR", to: "2"),
                .define("YAML_VERSION_PATCH", to: "5"),
            ]),
        library(
            "DialectFiles",
            ["CYaml", "Diagnostics", "LineProtocol"],
            resources: [.embedInCode("Dialects")]),
        library("Scenario", ["Diagnostics", "LineProtocol", "RegularExpressions"]),
        library("ChatModel", ["LineProtocol"]),
        library("ChatStructures", ["LineProtocol", "ChatModel"]),
        // Outcomes of run, check and load, as values and as files.
        library(
            "Results",
            [
                "Diagnostics", "LineProtocol",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]),
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
        library("Transport", ["Diagnostics", nioCore, nioPosix]),
        library(
            "TransportTLS",
            [
                "Diagnostics", "Transport", nioCore,
                .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["TLS"])),
                .product(
                    name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
            ]),
        library(
            "SessionTransport", ["Scenario", "Session", "Transport", nioCore, nioPosix]),
        library(
            "ChatClient", ["LineProtocol", "ChatModel", "Transport", nioCore, nioPosix, log]),
        library(
            "MetricsEndpoint",
            [
                "Transport", nioCore, nioPosix, .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        library(
            "ReferenceServer",
            [
                "ChatModel", "Diagnostics", "DialectModel", "LineProtocol", "MetricsEndpoint",
                "Scenario", "Transport", nioCore, nioPosix, log,
            ]),
        // Standard streams, files, signals and the environment of a command.
        library(
            "Console", ["Diagnostics", "DialectFiles", "Results", "Scenario", "Transport"]),
        library(
            "Runner",
            [
                "ChatModel", "Console", "Diagnostics", "DialectFiles", "DialectModel",
                "LineProtocol", "Results", "Scenario", "Session", "SessionTransport", "Transport",
                "TransportTLS", nioCore, nioPosix,
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        library(
            "Capture",
            [
                "Console", "DialectFiles", "DialectModel", "Diagnostics", "LineProtocol",
                "Results", "Transcript",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        // libpcap: filters and live traffic, behind the trait.
        .systemLibrary(
            name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),
        library(
            "LiveCapture",
            [
                "Capture", "Console", "Diagnostics", "Results",
                .target(name: "CPcap", condition: .when(traits: ["Capture"])),
            ]),
        // What Glibc's module lacks: waiting for thousands of sockets.
        .target(name: "CEpoll"),
        library(
            "Load",
            [
                "CEpoll", "Console", "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol",
                "MetricsEndpoint", "RegularExpressions", "Results", "Runner", "Scenario", "Session",
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
        // Help texts, manual pages and the reference of the command line.
        library("Manual", ["Console", "Diagnostics", "DialectFiles", "Report", "Results"]),
        .executableTarget(
            name: "linejudge",
            dependencies: [
                "Capture", "ChatModel", "Conformance", "Console", "Diagnostics", "DialectFiles",
                "DialectModel", "LineProtocol", "LiveCapture", "Load", "Manual",
                "MetricsEndpoint", "Recorder", "ReferenceServer", "Report", "Results", "Runner",
                "Scenario", "Session", "SessionTransport", "Transcript", "Transport",
                "TransportTLS", log,
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
        .target(name: "RepositoryFiles", path: "Tests/RepositoryFiles", swiftSettings: strict),
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
        tests(of: "Transport", ["Diagnostics"]),
        tests(
            of: "SessionTransport",
            [
                "Diagnostics", "Scenario", "Session", "Transport", "TransportTLS", nioCore,
                nioPosix,
            ]),
        tests(
            of: "ReferenceServer",
            [
                "ChatModel", "Diagnostics", "DialectFiles", "LineProtocol", "Transport", nioCore,
                nioPosix, log,
            ]),
        tests(
            of: "MetricsEndpoint",
            [
                nioCore, .product(name: "NIOHTTP1", package: "swift-nio"),
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
                "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol", "ReferenceServer",
                "Results", "Scenario", "Session", "SessionTransport", "Transcript", "Transport",
            ], exclude: ["Golden"]),
        tests(of: "LiveCapture", ["DialectModel", "Capture", "LineProtocol", "DialectFiles"]),
        tests(
            of: "Load",
            [
                "RepositoryFiles",
                "AllocationCount", "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol",
                "ReferenceServer", "Results", "Runner", "Scenario", "Session", "Transport",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]),
        tests(
            of: "Conformance",
            [
                "RepositoryFiles",
                "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol", "ReferenceServer",
                "Results", "Runner", "Scenario", "Session", "SessionTransport", "TestServers",
                "Transport",
            ]),
        tests(
            of: "Report",
            ["Console", "RepositoryFiles", "LineProtocol", "Diagnostics", "Results"],
            exclude: ["Golden", "Tools"]),
        // Keeps targets, and the folders within them, in layers.
        .testTarget(
            name: "ArchitectureTests", dependencies: ["RepositoryFiles"], swiftSettings: strict),
        .testTarget(
            name: "RealServerTests",
            dependencies: [
                "Conformance", "Diagnostics", "DialectFiles", "DialectModel", "LineProtocol",
                "Load", "ReferenceServer", "Results", "Runner", "Scenario", "Session",
                "SessionTransport", "TestServers", "Transport",
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Diagnostics", "DialectFiles", "LineProtocol", "Load", "RepositoryFiles",
                "TestServers", "linejudge",
            ],
            exclude: ["Fixtures", "Tools"],
            swiftSettings: strict),
    ]
)
