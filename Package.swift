// swift-tools-version:6.2
import PackageDescription

/// The settings every target is compiled with: Swift 6 mode comes from the tools version.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

func floor(
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
        .trait(
            name: "Capture",
            description:
                "Filters in tcpdump's language and live traffic for `linejudge decode`; needs libpcap-dev"
        )
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        // Floor 0: no imports.
        floor("Diagnostics", []),
        floor("LineProtocol", []),
        // Floor 1: languages, and what a chat client knows.
        floor(
            "DialectFiles",
            ["Diagnostics", "LineProtocol", .product(name: "Yams", package: "Yams")],
            resources: [.embedInCode("Dialects")]),
        floor("Scenario", ["Diagnostics", "LineProtocol"]),
        floor("ChatModel", ["LineProtocol"]),
        // Floor 2: structured arguments, by Foundation; the simulated operators, without I/O.
        floor("ChatStructures", ["LineProtocol", "ChatModel"]),
        // Outcomes of run, check and load, as values and as files.
        floor(
            "Results",
            [
                "Diagnostics", "LineProtocol",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]),
        // A dialect whose behaviours are parsed, and the patterns and templates of its lines.
        floor("DialectModel", ["Diagnostics", "DialectFiles", "LineProtocol", "Scenario"]),
        floor("Session", ["DialectModel", "Diagnostics", "Results", "Scenario", "LineProtocol"]),
        floor(
            "Transcript",
            ["DialectModel", "Diagnostics", "LineProtocol", "Results", "Scenario", "Session"]),
        // Floor 3: sockets.
        floor("Transport", ["Diagnostics", nioCore, nioPosix]),
        floor(
            "TransportTLS",
            [
                "Diagnostics", "Transport", nioCore,
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        floor(
            "SessionTransport", ["Scenario", "Session", "Transport", nioCore, nioPosix]),
        floor(
            "ChatClient", ["LineProtocol", "ChatModel", "Transport", nioCore, nioPosix, log]),
        floor(
            "MetricsEndpoint",
            [
                "Transport", nioCore, nioPosix, .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        floor(
            "ReferenceServer",
            [
                "DialectModel", "Diagnostics", "LineProtocol", "ChatModel", "MetricsEndpoint",
                "Scenario",
                "Transport", nioCore, nioPosix, log,
            ]),
        // Floor 4: what plays.
        floor(
            "Runner",
            [
                "DialectModel", "SessionTransport", "DialectModel", "Diagnostics", "LineProtocol",
                "ChatModel", "DialectFiles", "Results", "Scenario",
                "Session", "Transport", nioCore, nioPosix,
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        floor("Capture", ["Diagnostics", "LineProtocol", "Results", "Scenario", "Transcript"]),
        // libpcap: filters and live traffic, for who builds with the trait.
        .systemLibrary(
            name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),
        floor(
            "LiveCapture",
            ["Capture", .target(name: "CPcap", condition: .when(traits: ["Capture"]))]),
        // What Glibc's module lacks: waiting for thousands of sockets.
        .target(name: "CEpoll"),
        floor(
            "Load",
            [
                "DialectModel", nioCore, nioPosix, "CEpoll", "Diagnostics", "DialectFiles",
                "LineProtocol", "Results", "Scenario", "Session", "Transport",
            ]),
        floor(
            "Recorder",
            [
                "DialectModel", "SessionTransport", "Diagnostics", "LineProtocol", "Results",
                "Scenario", "Session", "Transcript",
                "Transport", nioCore, nioPosix,
            ]),
        floor(
            "Conformance",
            [
                "DialectModel", "SessionTransport", "Diagnostics", "DialectFiles", "LineProtocol",
                "Results", "Scenario", "Session",
                "Transport",
            ]),
        // Floor 5: what people read.
        floor(
            "Report",
            [
                "Diagnostics", "LineProtocol", "Results",
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [.embedInCode("Templates")]),
        // Floor 6: the command.
        .executableTarget(
            name: "linejudge",
            dependencies: [
                "DialectModel", "SessionTransport", "MetricsEndpoint", "ChatModel", "Diagnostics",
                "LineProtocol", "DialectFiles", "Scenario", "Session",
                "Transport", "TransportTLS", "ReferenceServer", "Load", "Runner", "Report",
                "Recorder", "Results", "Transcript", "Capture", "LiveCapture",
                "Conformance", log,
                .product(name: "Subprocess", package: "swift-subprocess"),
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
                "Session", "SessionTransport", "Transport",
                nioCore, nioPosix, .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/TestServers", swiftSettings: strict),
        tests(of: "LineProtocol", ["AllocationCount"]),
        tests(
            of: "DialectFiles", ["Diagnostics", "LineProtocol", "Scenario"],
            exclude: ["Fixtures"]),
        tests(of: "Scenario", ["Diagnostics", "LineProtocol"], exclude: ["Fixtures"]),
        tests(of: "ChatModel", ["LineProtocol", "DialectFiles"]),
        tests(of: "ChatStructures", ["LineProtocol", "ChatModel", "DialectFiles"]),
        tests(
            of: "ChatClient",
            [
                "ChatExample", "LineProtocol", "ChatModel", "DialectFiles", "Transport",
                "TransportTLS", "ReferenceServer", nioCore, nioPosix, log,
            ]),
        tests(
            of: "DialectModel", ["Diagnostics", "DialectFiles", "LineProtocol", "Scenario"]),
        tests(
            of: "Session",
            [
                "DialectModel", "Diagnostics", "Results", "Scenario", "LineProtocol",
                "DialectFiles",
            ]),
        tests(of: "Results", ["Diagnostics", "LineProtocol"]),
        tests(
            of: "Transcript",
            ["DialectModel", "Diagnostics", "LineProtocol", "Scenario", "Session", "DialectFiles"]),
        tests(
            of: "Recorder",
            [
                "DialectModel", "Diagnostics", "LineProtocol", "Scenario", "Session",
                "SessionTransport",
                "Transcript", "Transport", "DialectFiles", "ReferenceServer",
            ]),
        tests(of: "Transport", ["Diagnostics"]),
        tests(
            of: "SessionTransport",
            [
                "TransportTLS", "Diagnostics", "Scenario", "Session", "Transport", nioCore,
                nioPosix,
            ]),
        tests(
            of: "ReferenceServer",
            ["Diagnostics", "LineProtocol", "DialectFiles", "Transport", nioCore, nioPosix, log]),
        tests(
            of: "MetricsEndpoint",
            [
                nioCore, .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        tests(
            of: "Runner",
            [
                "DialectModel", "SessionTransport", "Transport", "ChatModel", "LineProtocol",
                "Diagnostics", "Results", "Scenario", "Session",
                "DialectFiles", "ReferenceServer",
            ]),
        tests(
            of: "Capture",
            [
                "DialectModel", "SessionTransport", "Diagnostics", "LineProtocol", "DialectFiles",
                "Results", "Scenario", "Session",
                "Transcript", "Transport", "ReferenceServer",
            ], exclude: ["Golden"]),
        tests(of: "LiveCapture", ["DialectModel", "Capture", "LineProtocol", "DialectFiles"]),
        tests(
            of: "Load",
            [
                "DialectModel", "AllocationCount", "Diagnostics", "LineProtocol", "DialectFiles",
                "Results",
                "Session", "Transport", "ReferenceServer",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]),
        tests(
            of: "Conformance",
            [
                "DialectModel", "SessionTransport", "TestServers", "Diagnostics",
                "LineProtocol", "DialectFiles", "Results", "Scenario", "Session",
                "Transport", "ReferenceServer",
            ]),
        tests(
            of: "Report",
            ["LineProtocol", "Diagnostics", "Results"],
            exclude: ["Golden", "Tools"]),
        // Keeps targets, and the folders within them, in layers.
        .testTarget(name: "ArchitectureTests", swiftSettings: strict),
        .testTarget(
            name: "RealServerTests",
            dependencies: [
                "DialectModel", "SessionTransport", "Diagnostics", "LineProtocol", "DialectFiles",
                "Results", "Scenario", "Session",
                "Transport", "ReferenceServer", "Runner", "Load", "TestServers",
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["linejudge", "TestServers", .product(name: "Yams", package: "Yams")],
            exclude: ["Fixtures"],
            swiftSettings: strict),
    ]
)
