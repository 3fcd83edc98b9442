import Foundation
import RepositoryFiles

/// Test files, and external programs that read reports.
enum Support {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    static let root = Repository.root

    /// Returns the content of a golden file; `GOLDEN_UPDATE=1` rewrites it with `now` first.
    static func golden(_ name: String, now: String) throws -> String {
        let url = folder.appending(path: "Golden/\(name)")
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try Data(now.utf8).write(to: url)
        }
        return String(decoding: (try? Data(contentsOf: url)) ?? Data(), as: UTF8.self)
    }

    /// Calls `body` with a temporary file that has the given content.
    static func withFile<Result>(
        _ text: String, named name: String, _ body: (String) throws -> Result
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "linejudge-report-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return try body(file.path)
    }

    /// Runs a program from PATH; returns its exit status and output.
    static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// Returns whether a program is installed.
    static func has(_ program: String) -> Bool {
        (try? run(["sh", "-c", "command -v \(program)"]).status) == 0
    }
}
