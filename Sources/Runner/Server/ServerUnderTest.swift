import Console
import Diagnostics
import DialectFiles
import FoundationEssentials
import Glibc
import Transport

/// A server under test that Linejudge starts. Linejudge waits until the server accepts connections,
/// and cleans up completely afterwards.
///
/// The command runs in its own session, as the child of a supervisor (``ServerProcess``). To stop
/// it, Linejudge sends SIGTERM to its process group; after a timeout, the supervisor kills it. All
/// processes that the command has started end with it, even those in other sessions, and they also
/// end if Linejudge is killed. A server must run in the foreground, because Linejudge treats the
/// end of the command as the end of the server.
package enum ServerUnderTest {
    /// Number of output lines to show if the server could not be started.
    package static let linesShownMax = 20
    /// Maximum interval between connection attempts, in nanoseconds.
    private static let pollIntervalMax: Int64 = 100_000_000

    /// Runs a server while `body` runs. Cancelling the task also stops the server.
    ///
    /// - Throws: ``Diagnosed`` if the server cannot be started, otherwise the error that `body`
    ///   throws.
    package static func run<Result: Sendable>(
        _ command: ServerCommand,
        _ body: @escaping @Sendable (RunningServer) async throws -> Result
    ) async throws -> Result {
        let folder = try makeFolder(command)
        // The folder is removed when it is released, so keep it until the server has ended.
        defer { extendLifetime(folder) }
        let port = command.takesPort && command.endpoint?.port == nil ? ReservedPort.find() : nil
        // Likewise, the port is reserved until the server has ended.
        defer { extendLifetime(port) }
        let plan = try StartPlan(command, port: port?.number, folder: folder.path)
        if await ConnectionProbe.accepts(plan.endpoint) {
            throw command.error(
                .serverNotStarted, "the address \(plan.endpoint.location) is already in use",
                help: "stop the process that uses it, or use {{port}} to pick a free port")
        }
        let output = ServerOutput(logPath: command.logPath)
        defer { output.close() }
        let process: ServerProcess
        do {
            process = try ServerProcess(plan.program, plan.words, plan.variables)
        } catch {
            throw command.error(
                .serverNotStarted, "the server cannot be started: \(error)")
        }
        return try await run(
            process, command, at: plan.endpoint, folder: folder.path, output: output, body)
    }

    private static func run<Result: Sendable>(
        _ process: ServerProcess, _ command: ServerCommand, at endpoint: Endpoint,
        folder: String, output: ServerOutput,
        _ body: @escaping @Sendable (RunningServer) async throws -> Result
    ) async throws -> Result {
        let server = RunningServer(
            endpoint: endpoint, processID: Int(process.program), folder: folder, output: output,
            group: process.group)
        return try await withTaskGroup(of: Void.self) { tasks in
            // Wait until the server has ended, along with all processes that hold its output open.
            tasks.addTask {
                await onThread("linejudge.server-output") {
                    process.readOutput { output.append($0) }
                }
            }
            let outcome = await outcome(of: server, command, body)
            await stop(process, command.stopTimeout)
            await tasks.waitForAll()
            process.reap()
            return outcome.mapError { ($0 as? NotListening)?.diagnosed(server, command) ?? $0 }
        }.get()
    }

    private static func outcome<Result: Sendable>(
        of server: RunningServer, _ command: ServerCommand,
        _ body: @escaping @Sendable (RunningServer) async throws -> Result
    ) async -> Swift.Result<Result, any Error> {
        do {
            try await waitUntilListening(server, command)
            return .success(try await body(server))
        } catch {
            return .failure(error)
        }
    }

    // MARK: Start

    private static func waitUntilListening(
        _ server: RunningServer, _ command: ServerCommand
    ) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + .nanoseconds(command.startTimeout)
        var pause: Int64 = 5_000_000
        while !(await ConnectionProbe.accepts(server.endpoint)) {
            if let end = server.earlyEnd { throw NotListening.ended(end) }
            guard clock.now < deadline else { throw NotListening.late }
            try await Task.sleep(for: .nanoseconds(pause))
            pause = min(pause * 2, pollIntervalMax)
        }
        // The port is open, but another process may be listening on it.
        if let end = server.earlyEnd { throw NotListening.ended(end) }
    }

    private static func makeFolder(_ command: ServerCommand) throws -> ServerFolder {
        if let folder = ServerFolder() { return folder }
        throw command.error(
            .serverNotStarted,
            "cannot create a folder in \(escapedForDisplay(ServerFolder.parent))")
    }

    // MARK: Stop

    /// Maximum time that the supervisor may take to kill the server, in nanoseconds.
    private static let killTimeout: Int64 = 5_000_000_000

    /// Stops the server: sends SIGTERM, waits for it to end, and then lets the supervisor kill what
    /// is left. Cancelling the task does not interrupt this.
    private static func stop(_ process: ServerProcess, _ timeout: Int64) async {
        await Task {
            process.group.send(SIGTERM)
            await process.group.waitForEnd(timeout)
            process.release()
            await process.group.waitForEnd(killTimeout)
            process.group.send(SIGKILL)
        }.value
    }
}

/// The reason a server does not accept connections. It is reported after all of the server's output
/// has been read.
private enum NotListening: Error {
    case ended(String)
    case late

    func diagnosed(_ server: RunningServer, _ command: ServerCommand) -> any Error {
        let address = server.endpoint.location
        let lines = server.output.lastLines(ServerUnderTest.linesShownMax)
            .map { "| " + escapedForDisplay($0) }
        let output =
            lines.isEmpty ? ["the server wrote nothing"] : ["last lines of its output:"] + lines
        switch self {
        case .ended(let end):
            return command.error(
                .serverNotStarted, "the server \(end) before it started listening on \(address)",
                help: help(forEnd: end, command, isSilent: lines.isEmpty), notes: output)
        case .late:
            let milliseconds = command.startTimeout / 1_000_000
            let time =
                milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
            return command.error(
                .serverNotStarted, "the server is not listening on \(address) after \(time)",
                help: command.takesPort
                    ? "check that the server listens on this port, or allow more time with "
                        + "--start-timeout"
                    : "pass the port to the server with {{port}}",
                notes: output)
        }
    }
}

extension NotListening {
    /// Returns advice for a server that ended before it was listening; nil if its own output should
    /// explain why.
    private func help(forEnd end: String, _ command: ServerCommand, isSilent: Bool) -> String? {
        // A process that starts a daemon and then exits reports success.
        if end == ProcessGroup.endInSuccess { return "run the server in the foreground" }
        if let (wrong, right) = command.misspelledFile {
            return "`\(escapedForDisplay(wrong))` does not exist; "
                + "did you mean `\(escapedForDisplay(right))`?"
        }
        return isSilent ? "run the command in a terminal to find out why" : nil
    }
}

/// The command with its placeholders filled in, and the server's listening address.
private struct StartPlan {
    /// Path of the program.
    var program: String
    var words: [String]
    /// The environment, as `NAME=value`.
    var variables: [String]
    var endpoint: Endpoint

    /// - Parameter reserved: The port to use if the command takes a port and does not state one.
    init(_ command: ServerCommand, port reserved: Int?, folder: String) throws {
        var text = command.text
        var port: Int?
        if command.takesPort {
            port = command.endpoint?.port ?? reserved
            guard let port else { throw command.error(.serverNotStarted, "no free port was found") }
            text = text.replacing(ServerCommand.port, with: String(port))
        }
        text = text.replacing(ServerCommand.folder, with: folder)
        let listening = command.endpoint ?? port.map { Endpoint(.host("127.0.0.1", port: $0)) }
        guard let listening, listening.isComplete else {
            throw command.addressUnknown
        }
        endpoint = listening
        let words = try CommandWords(text, source: command.source)
        self.words = words.words
        let name = words.words[0]
        guard let program = ProgramPath.find(name, path: words.path) else {
            throw command.programNotFound(name, path: words.path)
        }
        self.program = program
        variables = Self.variables(words)
    }

    private static func variables(_ words: CommandWords) -> [String] {
        // Secrets are for Linejudge's clients; the server receives only the secrets that its
        // command sets.
        var environment = ProcessInfo.processInfo.environment.filter {
            !(RunVariables.variable(inEnvironment: $0.key)?.isSecret ?? false)
        }
        for variable in words.environment { environment[variable.name] = variable.value }
        return environment.map { "\($0.key)=\($0.value)" }
    }
}

/// Program lookup, as in a shell.
enum ProgramPath {
    /// Returns the program's path; nil if it is not found.
    ///
    /// - Parameter path: Folders to search; nil for the folders in the `PATH` variable.
    static func find(_ program: String, path: String?) -> String? {
        if program.contains("/") { return isProgram(program) ? program : nil }
        return folders(path).lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }

    /// Returns the names of the files in the folders, in order.
    static func names(path: String?) -> [String] {
        let found = folders(path).flatMap { folder in
            (try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? []
        }
        return Set(found).sorted()
    }

    private static func folders(_ path: String?) -> [Substring] {
        let inherited = unsafe getenv("PATH").map { unsafe String(cString: $0) }
        return (path ?? inherited ?? "/usr/bin:/bin").split(separator: ":")
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard isThere, !isFolder else { return false }
        return unsafe access(path, X_OK) == 0
    }
}
