// swift-tools-version:6.2
import PackageDescription

/// The codec and its allocation tests, as symbolic links. Only an optimised build allocates nothing
/// per message, and building the whole package with optimisation would take minutes.
let package = Package(
    name: "Allocations",
    targets: [
        .target(name: "LineProtocol", swiftSettings: strict),
        .target(name: "AllocationCount"),
        .testTarget(
            name: "AllocationTests", dependencies: ["AllocationCount", "LineProtocol"],
            swiftSettings: strict),
    ])

/// The same settings as in the main package.
var strict: [SwiftSetting] {
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
    ]
}
