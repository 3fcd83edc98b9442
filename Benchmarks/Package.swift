// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "linejudge", path: "..")],
    targets: [
        // The same source as the tests use, by a link.
        .target(name: "AllocationCount", cSettings: [.unsafeFlags(["-O2"])]),
        .target(name: "CReference", cSettings: [.unsafeFlags(["-O2"])]),
        // Workloads in turns, medians, ratios, a table.
        .target(name: "Measuring", dependencies: ["CReference", "AllocationCount"]),
        .executableTarget(
            name: "CodecBench",
            dependencies: [
                .product(name: "LineProtocol", package: "linejudge"),
                .product(name: "ChatModel", package: "linejudge"), "CReference", "Measuring",
            ]),
        .executableTarget(
            name: "ModelBench",
            dependencies: [
                .product(name: "ChatModel", package: "linejudge"), "Measuring",
            ]),
    ])
