import Foundation

/// A folder for one test, with files in it.
final class TemporaryFolder: Sendable {
    let path: String

    init(_ files: [String: String] = [:]) throws {
        path = "/tmp/linejudge-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(name, text) }
    }

    func write(_ name: String, _ text: String) throws {
        let filePath = "\(path)/\(name)"
        let folder = filePath.split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(
            atPath: "/" + folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: filePath))
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a file in the folder.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}

/// Creates a folder for the duration of `body`.
func withFolder<Result>(
    _ files: [String: String] = [:], _ body: (TemporaryFolder) async throws -> Result
) async throws -> Result {
    let folder = try TemporaryFolder(files)
    defer { folder.remove() }
    return try await body(folder)
}
