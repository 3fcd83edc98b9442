import Diagnostics
import FoundationEssentials
import Glibc
import Subprocess
import Transport

/// Starts a server, waits until it listens, and leaves nothing of it behind.
///
/// The command becomes the leader of a session of its own. It is asked to end by SIGTERM to its whole
/// group and made to by SIGKILL after a while; where `setpriv` is there, the kernel ends it, too, if
/// we are killed. A server that puts itself into the background (leaves its group) cannot be followed:
/// run it in the foreground.
package enum ServerUnderTest {
    /// How many of a server's last lines are shown where it could not be started.
    package static let linesShownMax = 20
    /// The longest wait between two looks at whether it listens, in nanoseconds.
    private static let lookEveryMax: Int64 = 100_000_000

    /// Runs a server while `body` uses it.
    ///
    /// - Throws: ``Diagnosed`` if the server cannot be started, else what `body` throws. A cancelled
    ///   task stops the server as the end of `body` does.
    package static func run<Result: Sendable>(
        _ command: ServerCommand,
        _ body: @escaping @Sendable (RunningServer) async throws -> Result
    ) async throws -> Result {
        let folder = try makeFolder(command)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let plan = try StartPlan(command, folder: folder)
        if await ConnectionProbe.accepts(plan.endpoint) {
            throw command.error(
                .serverNotStarted, "something already listens at \(plan.endpoint.location)",
                help: "end it, or let {{port}} find a free port")
        }
        let output = ServerOutput(logPath: command.logPath)
        defer { output.close() }
        do {
            return try await start(plan, command, folder, output, body)
        } catch let error as SubprocessError {
            throw command.error(
                .serverNotStarted, "the server cannot be started: \(error.description)")
        }
    }

    private static func start<Result: Sendable>(
        _ plan: StartPlan, _ command: ServerCommand, _ folder: String, _ output: ServerOutput,
        _ body: @escaping @Sendable (RunningServer) async throws -> Result
    ) async throws -> Result {
        let execution = try await Subprocess.run(
            plan.configuration, input: .none, output: .sequence, error: .combinedWithOutput
        ) { execution in
            let group = ProcessGroup(leader: execution.processIdentifier.value)
            let server = RunningServer(
                endpoint: plan.endpoint, processID: Int(group.leader), folder: folder,
                output: output, group: group)
            return await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    // Until the server and all that hold its output have ended.
                    do {
                        for try await buffer in execution.standardOutput {
                            output.append(copied(buffer.bytes))
                        }
                    } catch {}
                }
                let outcome = await outcome(of: server, command, body)
                await stop(group, command.stopTimeout)
                await tasks.waitForAll()
                return outcome.mapError { ($0 as? NotListening)?.told(server, command) ?? $0 }
            }
        }
        return try execution.closureResult.get()
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
            pause = min(pause * 2, lookEveryMax)
        }
        // Something listens; but is it the server, or did another take the port?
        if let end = server.earlyEnd { throw NotListening.ended(end) }
    }

    private static func makeFolder(_ command: ServerCommand) throws -> String {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/linejudge-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }
                .map { unsafe String(cString: $0) }
        }
        guard let made else {
            throw command.error(
                .serverNotStarted, "no folder can be made in \(escapedForDisplay(parent))")
        }
        return made
    }

    private static func copied(_ bytes: RawSpan) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }

    // MARK: Stop

    /// Asks the group to end, waits for its leader, and ends whoever is left. It is not cut short by
    /// the cancellation that may have led here.
    private static func stop(_ group: ProcessGroup, _ timeout: Int64) async {
        await Task {
            group.send(SIGTERM)
            let clock = ContinuousClock()
            let deadline = clock.now + .nanoseconds(timeout)
            var pause: Int64 = 1_000_000
            while group.end == nil, clock.now < deadline {
                try? await Task.sleep(for: .nanoseconds(pause))
                pause = min(pause * 2, lookEveryMax)
            }
            group.send(SIGKILL)
        }.value
    }
}

/// Why a server does not listen; told when all that it wrote has been read.
private enum NotListening: Error {
    case ended(String)
    case late

    func told(_ server: RunningServer, _ command: ServerCommand) -> any Error {
        let place = server.endpoint.location
        let lines = server.output.lastLines(ServerUnderTest.linesShownMax)
            .map { "| " + escapedForDisplay($0) }
        let said = lines.isEmpty ? ["it wrote nothing"] : ["its last lines:"] + lines
        switch self {
        case .ended(let end):
            return command.error(
                .serverNotStarted, "the server \(end) before it listened at \(place)",
                help: "run it in the foreground", notes: said)
        case .late:
            let milliseconds = command.startTimeout / 1_000_000
            let time =
                milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
            return command.error(
                .serverNotStarted, "the server does not listen at \(place) after \(time)",
                help: command.takesPort ? nil : "is it told where, as {{port}}?", notes: said)
        }
    }
}

/// What is started and where it will listen.
private struct StartPlan {
    var configuration: Configuration
    var endpoint: Endpoint

    init(_ command: ServerCommand, folder: String) throws {
        var text = command.text
        var port: Int?
        if command.takesPort {
            port = command.endpoint?.port ?? FreePort.find()
            guard let port else { throw command.error(.serverNotStarted, "no port is free") }
            text = text.replacing(ServerCommand.port, with: String(port))
        }
        text = text.replacing(ServerCommand.folder, with: folder)
        let listening = command.endpoint ?? port.map { Endpoint(.host("127.0.0.1", port: $0)) }
        guard let listening, listening.isComplete else {
            throw command.placeUnknown
        }
        endpoint = listening
        let words = try CommandWords(text, source: command.source)
        configuration = try Self.configuration(words, command)
    }

    private static func configuration(
        _ words: CommandWords, _ command: ServerCommand
    ) throws(Diagnosed) -> Configuration {
        let environment = Environment.inherit.updating(
            Dictionary(
                words.environment.map { (Environment.Key(stringLiteral: $0.name), $0.value) },
                uniquingKeysWith: { $1 }))
        let program = words.words[0]
        let path = words.environment.last { $0.name == "PATH" }?.value
        guard ProgramPath.find(program, path: path) != nil else {
            throw command.error(
                .serverNotStarted, "there is no program `\(escapedForDisplay(program))`",
                help: "give its path")
        }
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .send(
                signal: .terminate, toProcessGroup: true,
                allowedDurationToNextStep: .nanoseconds(command.stopTimeout))
        ]
        // The signal comes when the thread ends that started the process: that is one of Subprocess's
        // own, which lives as long as we do. Both programs become the server, under the same id.
        let isGuarded = ProgramPath.find("setpriv", path: nil) != nil
        let front = isGuarded ? ["--pdeathsig", "KILL", "--"] : []
        return Configuration(
            executable: .name(isGuarded ? "setpriv" : "env"),
            arguments: Arguments(front + words.words), environment: environment,
            platformOptions: options)
    }
}

/// Looks for programs where a shell does.
enum ProgramPath {
    /// The program's path, or nil.
    ///
    /// - Parameter path: the folders; by default those of the environment.
    static func find(_ program: String, path: String?) -> String? {
        if program.contains("/") { return isProgram(program) ? program : nil }
        let inherited = unsafe getenv("PATH").map { unsafe String(cString: $0) }
        let folders = (path ?? inherited ?? "/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard isThere, !isFolder else { return false }
        return unsafe access(path, X_OK) == 0
    }
}
