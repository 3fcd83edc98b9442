// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "linejudge", path: "..")],
    targets: [
        // A symbolic link to the source that the tests use.
        .target(name: "AllocationCount", cSettings: [.unsafeFlags(["-O2"])]),
        .target(name: "CReference", cSettings: [.unsafeFlags(["-O2"])]),
        // Measures workloads in turn and formats medians and ratios as a table.
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
