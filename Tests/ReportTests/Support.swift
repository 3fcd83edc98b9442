import Foundation

/// Files beside the tests, and the programs that read what we write.
enum Support {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

    /// The golden text of a name; with `GOLDEN_UPDATE=1` it first becomes what is found now.
    static func golden(_ name: String, now: String) throws -> String {
        let url = folder.appending(path: "Golden/\(name)")
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try Data(now.utf8).write(to: url)
        }
        return String(decoding: (try? Data(contentsOf: url)) ?? Data(), as: UTF8.self)
    }

    /// Gives a file with that text to whoever asks, and removes it afterwards.
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

    /// Runs a program found by its name, and says how it ended and what it wrote.
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

    /// Whether a program is there.
    static func has(_ program: String) -> Bool {
        (try? run(["sh", "-c", "command -v \(program)"]).status) == 0
    }
}
