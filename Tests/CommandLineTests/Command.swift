import Foundation
import Glibc
import RepositoryFiles

/// A process that runs the built executable, or another program.
struct Command {
    /// The exit status and the output.
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String

        /// The whole result, for the comment of a failed expectation.
        var all: String { "status \(status)\n\(output)\n\(errors)" }
    }

    /// The program; by default the executable under test.
    var program = Command.executable
    var arguments: [String]
    var environment: [String: String] = [:]
    var input = ""
    var folder: URL?
    /// Seconds that the process may take to exit. Then it is killed, so that a hang is a failure.
    var secondsMax = Sanitizer.isUsed ? 720.0 : 180
    /// Seconds after its start at which a process is killed, because a test may wait for a line that
    /// is never printed.
    static let lifetimeMax = Sanitizer.isUsed ? 1_200.0 : 600

    init(_ arguments: String...) { self.arguments = arguments }

    init(_ arguments: [String]) { self.arguments = arguments }

    static let executable = BuiltProgram.url("linejudge")

    /// Settings of the sanitizer with which the tests were built.
    private static let sanitizers: [String: String] = {
        guard Sanitizer.isUsed else { return [:] }
        return ProcessInfo.processInfo.environment.filter {
            ["ASAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD"].contains($0.key)
        }
    }()

    func with(environment: [String: String]) -> Command {
        var copy = self
        copy.environment = environment
        return copy
    }

    func with(input: String) -> Command {
        var copy = self
        copy.input = input
        return copy
    }

    func within(_ folder: URL) -> Command {
        var copy = self
        copy.folder = folder
        return copy
    }

    /// Starts the process and leaves it running.
    func start() throws -> Running {
        let pipes = (Pipe(), Pipe(), Pipe())
        let process = try SpawnedProcess(
            program.path, arguments,
            environment: ["PATH": "/usr/bin:/bin", "TERM": "dumb"].merging(Self.sanitizers) { $1 }
                .merging(environment) { $1 },
            folder: folder?.path,
            standard: [
                pipes.0.fileHandleForReading, pipes.1.fileHandleForWriting,
                pipes.2.fileHandleForWriting,
            ].map(\.fileDescriptor))
        let end = DispatchWorkItem { process.killGroup() }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.lifetimeMax, execute: end)
        try pipes.0.fileHandleForReading.close()
        try pipes.1.fileHandleForWriting.close()
        try pipes.2.fileHandleForWriting.close()
        // The process may end before it has read its input.
        try? pipes.0.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipes.0.fileHandleForWriting.close()
        return Running(
            process: process, output: pipes.1, errors: pipes.2, secondsMax: secondsMax,
            endOfLife: end)
    }

    /// Runs the process until it exits.
    func run() async throws -> Outcome { try await start().outcome() }
}

/// A running process.
struct Running: @unchecked Sendable {
    let process: SpawnedProcess
    let output: Pipe
    let errors: Pipe
    let secondsMax: Double
    /// Kills the process at the end of its lifetime, unless it has exited before.
    fileprivate let endOfLife: DispatchWorkItem

    /// The next line on standard output.
    func line() throws -> String { try line(of: output) }

    /// The next line on standard error.
    func errorLine() throws -> String { try line(of: errors) }

    private func line(of pipe: Pipe) throws -> String {
        var line: [UInt8] = []
        while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Sends a signal.
    func send(_ signal: Int32) { Glibc.kill(process.id, signal) }

    func kill() { send(SIGKILL) }

    /// Waits until the process exits.
    func outcome() async throws -> Command.Outcome {
        let process = self.process
        let end = DispatchWorkItem { process.killGroup() }
        DispatchQueue.global().asyncAfter(deadline: .now() + secondsMax, execute: end)
        defer { end.cancel() }
        async let output = Self.text(of: output)
        async let errors = Self.text(of: errors)
        let texts = try await (output, errors)
        return Command.Outcome(status: wait(), output: texts.0, errors: texts.1)
    }

    /// Waits until the process exits, and returns its exit status. Its output is not read.
    func wait() -> Int32 {
        defer { endOfLife.cancel() }
        return process.wait()
    }

    private static func text(of pipe: Pipe) async throws -> String {
        let handle = pipe.fileHandleForReading
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
                    })
            }
        }
    }
}

/// Files for tests.
enum Files {
    static let root = Repository.root

    /// Creates a folder with these files for the duration of `body`.
    static func with<Result>(
        _ files: [String: String] = [:], _ body: (URL) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "linejudge-command-\(UUID().uuidString)").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try await body(folder)
    }

    static func text(_ url: URL) throws -> String {
        String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }
}
