import Foundation
import Glibc
import Testing

/// A real chat client, installed from its Debian package by `make setup`.
enum ChatProgram: String, CaseIterable {
    case irssi, weechat

    /// Starts the client in its own folder. It connects to the port and enters the room at once.
    ///
    /// - Parameter password: The password of the account with which the client logs in, which has
    ///   the same name as the client; nil to log in without an account.
    func start(
        in folder: URL, port: Int, nickname: String, password: String?, room: String
    ) throws -> RunningProgram {
        switch self {
        case .irssi: try startIrssi(folder, port, nickname, password, room)
        case .weechat: try startWeechat(folder, port, nickname, password, room)
        }
    }

    /// irssi needs a terminal, which `script` provides; its input is typed into the client.
    private func startIrssi(
        _ folder: URL, _ port: Int, _ nickname: String, _ password: String?, _ room: String
    ) throws -> RunningProgram {
        let account =
            password.map {
                """
                sasl_mechanism = "PLAIN"; sasl_username = "\(nickname)"; sasl_password = "\($0)";
                """
            } ?? ""
        let settings = """
            servers = (
              { address = "127.0.0.1"; port = "\(port)"; chatnet = "test"; autoconnect = "yes"; }
            );
            chatnets = { test = { type = "IRC"; nick = "\(nickname)"; \(account) }; };
            channels = ( { name = "\(room)"; chatnet = "test"; autojoin = "yes"; } );
            settings = {
              core = { user_name = "\(nickname)"; real_name = "A real client"; };
              # Else it sends one line in 2.2 s after the first five.
              "irc/core" = { cmd_queue_speed = "10msec"; cmds_max_at_once = "100"; };
              "fe-common/core" = {
                autolog = "yes"; autolog_path = "\(folder.path)/$0.log"; term_charset = "UTF-8";
                window_auto_change = "yes";
              };
              # Else it takes a line that comes at once for pasted text, and waits.
              "fe-text" = { paste_detect_time = "0"; };
            };

            """
        try Data(settings.utf8).write(to: folder.appending(path: "config"))
        let keyboard = Pipe()
        let process = try Self.start(
            ["script", "-qec", "irssi --home='\(folder.path)'", "/dev/null"], in: folder,
            input: keyboard)
        return RunningProgram(
            process: process, log: folder.appending(path: "\(room).log"),
            keyboard: keyboard.fileHandleForWriting, lineStart: "", lineEnd: "\r")
    }

    /// WeeChat runs without a terminal and reads input for its windows from a named pipe.
    private func startWeechat(
        _ folder: URL, _ port: Int, _ nickname: String, _ password: String?, _ room: String
    ) throws -> RunningProgram {
        let account =
            password.map {
                [
                    "/set irc.server.test.sasl_username \(nickname)",
                    "/set irc.server.test.sasl_password \($0)",
                ]
            } ?? []
        let pipe = folder.appending(path: "typed")
        var commands = [
            "/set fifo.file.path \(pipe.path)", "/set logger.file.flush_delay 0",
            // By default it sends one line every two seconds.
            "/set irc.server_default.anti_flood_prio_high 0",
            "/set irc.server_default.anti_flood_prio_low 0",
            "/server add test 127.0.0.1/\(port) -notls -nicks=\(nickname) -username=\(nickname)",
            "/set irc.server.test.autojoin \(room)",
        ]
        commands += account + ["/connect test"]
        let process = try Self.start(
            ["weechat-headless", "--dir", folder.path] + commands.flatMap { ["-r", $0] },
            in: folder, input: nil)
        return RunningProgram(
            process: process, log: folder.appending(path: "logs/irc.test.\(room).weechatlog"),
            keyboard: nil, pipe: pipe, lineStart: "irc.test.\(room) *", lineEnd: "\n")
    }

    /// Starts a command that is ended when the tests end.
    private static func start(_ words: [String], in folder: URL, input: Pipe?) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig", "KILL"] + words
        process.currentDirectoryURL = folder
        process.environment = [
            "PATH": "/usr/bin:/bin", "TERM": "xterm", "LANG": "C.UTF-8", "HOME": folder.path,
        ]
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}

/// A running chat client that the test types into. Only ``kill()`` may be called from another
/// thread.
final class RunningProgram: @unchecked Sendable {
    private let process: Process
    private let log: URL
    private var keyboard: FileHandle?
    private let pipe: URL?
    private let lineStart: String
    private let lineEnd: String

    init(
        process: Process, log: URL, keyboard: FileHandle?, pipe: URL? = nil, lineStart: String,
        lineEnd: String
    ) {
        self.process = process
        self.log = log
        self.keyboard = keyboard
        self.pipe = pipe
        self.lineStart = lineStart
        self.lineEnd = lineEnd
    }

    /// Types a line into the room's window. The client must have entered the room.
    func type(_ line: String) throws {
        if keyboard == nil, let pipe { keyboard = try FileHandle(forWritingTo: pipe) }
        try keyboard?.write(contentsOf: Data((lineStart + line + lineEnd).utf8))
    }

    /// Waits until the process exits.
    func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    func kill() { if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) } }

    /// Longest wait for a text in the log.
    private static let secondsMax = 30.0
    private static let lookEveryMilliseconds = 10

    /// Waits until the room's log contains a text.
    func shows(_ text: String) async throws {
        let end = Date(timeIntervalSinceNow: Self.secondsMax)
        while Date() < end {
            if try logged().contains(text) { return }
            try await Task.sleep(for: .milliseconds(Self.lookEveryMilliseconds))
        }
        Issue.record("the log never shows \(text), only: \(try logged())")
        throw CancellationError()
    }

    /// The room's log.
    private func logged() throws -> String {
        guard FileManager.default.fileExists(atPath: log.path) else { return "" }
        return String(decoding: try Data(contentsOf: log), as: UTF8.self)
    }
}
