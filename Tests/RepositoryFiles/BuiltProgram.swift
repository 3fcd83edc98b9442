package import Foundation

/// Programs that are built together with the tests.
package enum BuiltProgram {
    /// Path of the program with this name, next to the test bundle.
    package static func url(_ name: String) -> URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
    }
}
