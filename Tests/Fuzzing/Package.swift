// swift-tools-version:6.2
import PackageDescription

/// The readers of Linejudge with libFuzzer, which calls them with mutated inputs. `make fuzz` builds
/// and runs it. It is a separate package because everything is built with coverage instrumentation.
let package = Package(
    name: "Fuzzing",
    // Nothing that is fuzzed uses TLS, which takes long to build.
    dependencies: [.package(name: "linejudge", path: "../..", traits: [])],
    targets: [
        // libFuzzer's entry point.
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CFuzzer", .product(name: "FuzzTargets", package: "linejudge")]),
    ])
