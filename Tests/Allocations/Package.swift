// swift-tools-version:6.2
import PackageDescription

/// The codec and the tests that count its allocations, by links: only an optimised build allocates nothing for a
/// message, and of the whole package that would take minutes.
let package = Package(
    name: "Allocations",
    targets: [
        .target(name: "LineProtocol", swiftSettings: strict),
        .target(name: "AllocationCount"),
        .testTarget(
            name: "AllocationTests", dependencies: ["AllocationCount", "LineProtocol"],
            swiftSettings: strict),
    ])

/// The settings of the whole package.
var strict: [SwiftSetting] {
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
    ]
}
