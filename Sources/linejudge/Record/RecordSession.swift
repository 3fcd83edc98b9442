import Diagnostics
import DialectFiles
import Foundation
import LineProtocol
import Recorder
import ReferenceServer
import Runner
import Scenario
import Session
import Transcript
import Transport
import TransportTLS

/// One recording, from the options to the scenario.
struct RecordSession {
    let command: RecordCommand
    /// The server that `--server` names.
    let server: Endpoint
    /// What they speak.
    let dialect: DialectFile
    private let listen: Endpoint
    private let security: (any ConnectionSecurity)?
    private let clientSecurity: TLSServer?
    private let secrets: [String: [UInt8]]

    /// Reads the options, or throws what is wrong with them.
    init(_ command: RecordCommand) throws(CommandFailure) {
        do {
            try self.init(checked: command)
        } catch {
            throw CommandFailure(.usage, error)
        }
    }

    private init(checked command: RecordCommand) throws(Diagnosed) {
        self.command = command
        let server = try command.server.map { text throws(Diagnosed) in try Endpoint(parsing: text)
        }
        guard
            let name = command.dialect ?? server?.dialect
                ?? (server == nil ? BuiltInServer.dialectDefault : nil)
        else {
            throw Diagnosed(
                Diagnostic(.error, .badOption, "it is not known what the server speaks").help(
                    "write --dialect NAME, or the server as irc://HOST"))
        }
        dialect = try DialectLibrary.find(name)
        self.server =
            (server ?? Endpoint(.host("127.0.0.1", port: nil))).withDefaultPort(
                dialect.dialect.port)
        guard server == nil || self.server.isComplete else {
            throw Diagnosed(
                Diagnostic(.error, .badOption, "--server needs a port: the dialect has none").help(
                    "write --server HOST:PORT"))
        }
        listen =
            switch command.listen?.address ?? .tcp(host: "127.0.0.1", port: 0) {
            case .tcp(let host, let port): Endpoint(.host(host, port: port))
            case .unixSocket(let path): Endpoint(.unix(path: path))
            }
        var options = TLSOptions()
        options.authorityPath = command.authority
        options.isInsecure = command.insecure
        security = self.server.isSecure ? try TLSClient(options) : nil
        if let certificate = command.tlsCert, let key = command.tlsKey {
            clientSecurity = try TLSServer(certificatePath: certificate, keyPath: key)
        } else {
            clientSecurity = nil
        }
        secrets = Dictionary(
            command.secret.compactMap { text in
                guard let sign = text.firstIndex(of: "=") else { return nil }
                return (String(text[..<sign]), Array(text[text.index(after: sign)...].utf8))
            }, uniquingKeysWith: { _, last in last })
    }

    /// Records until it is ended, and writes the scenario.
    func record(at endpoint: Endpoint) async throws {
        try checkWritable()
        let interruptions = Interruptions()
        let startedAt = Int64(Date().timeIntervalSince1970)
        let recording = try await record(at: endpoint, interruptions)
        for remark in recording.remarks { say("linejudge record: \(remark)") }
        var options = ScenarioDraft.Options()
        options.title = command.title ?? "A recorded conversation"
        options.keepsPauses = command.keepPauses
        options.secrets = secrets
        options.startedAt = startedAt
        options.dropsUnasked = command.noReplay
        let draft = try ScenarioDraft(
            recording.conversation, dialect: dialect.dialect, dialectSource: dialect.source,
            options: options)
        guard !draft.isEmpty else {
            let isUnreachable = !recording.remarks.isEmpty
            throw CommandFailure(
                isUnreachable ? .unavailable : .inconclusive, .badOption,
                "nothing was said, so there is nothing to write",
                help: "point a client to where it listens")
        }
        if recording.conversation.isTruncated {
            say(
                "linejudge record: only the first \(Conversation.eventsMax) events are kept, "
                    + "or \(Conversation.bytesMax >> 20) MiB")
        }
        if command.noReplay { return try write(draft.text()) }
        try await replay(recording.conversation, options, endpoint)
    }

    private func record(
        at endpoint: Endpoint, _ interruptions: Interruptions
    ) async throws -> Recording {
        var options = Recorder.Options(listen: listen, server: endpoint)
        options.security = security
        if let clientSecurity { options.prepareClient = { try clientSecurity.secure($0) } }
        let mask = SecretMask(Array(secrets.values))
        if !command.quiet { options.observe = { [mask] in Self.show($0, mask) } }
        let recorder: Recorder
        do {
            recorder = try await Recorder.start(dialect.dialect, options)
        } catch {
            throw CommandFailure(
                .unavailable, .badOption, error.reason,
                help: "choose another --listen; port 0 is any free one")
        }
        let scheme = clientSecurity == nil ? "" : "tls://"
        let place =
            recorder.port.map { Endpoint(.host(listen.host ?? "127.0.0.1", port: $0)).place }
            ?? "unix:\(listen.place)"
        say(
            "recording between \(scheme)\(place) and \(endpoint.description) "
                + "(\(dialect.dialect.name)); Ctrl-C ends it")
        await waitForEnd(recorder, interruptions)
        return await recorder.finish()
    }

    /// Waits for whatever ends the recording first.
    private func waitForEnd(_ recorder: Recorder, _ interruptions: Interruptions) async {
        let (once, duration) = (command.once, command.duration)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await interruptions.next() }
            if once { group.addTask { await recorder.untilIdle() } }
            if let duration {
                group.addTask {
                    try? await Task.sleep(nanoseconds: UInt64(clamping: duration.nanoseconds))
                }
            }
            await group.next()
            group.cancelAll()
            // A task that waits for clients ends with them.
            _ = await recorder.finish()
        }
    }

    private func replay(
        _ conversation: Conversation, _ options: ScenarioDraft.Options, _ endpoint: Endpoint
    ) async throws {
        let play = PlayOptions(
            variables: secrets, secrets: Set(secrets.keys), environment: Environment.ofProcess)
        let learning = ReplayLearning(
            SessionDriver(security: security), at: endpoint, dialect: dialect.dialect,
            dialectSource: dialect.source, play: play)
        let outcome = try await learning.learn(conversation, options: options)
        try write(outcome.text)
        guard let failure = outcome.failure else {
            say("the scenario passes when it is played against \(endpoint.place)")
            return
        }
        say("linejudge record: the scenario does not pass when it is played:")
        throw CommandFailure(.failed, Diagnosed(failure))
    }

    private func checkWritable() throws(CommandFailure) {
        guard command.output != "-" else { return }
        do {
            try OutputFile(path: command.output).check()
        } catch {
            throw CommandFailure(
                .software, .cannotWrite,
                "`\(escapedForDisplay(command.output))` cannot be written: \(error)",
                help: "give -o a path in a folder that exists")
        }
    }

    private func write(_ text: String) throws(CommandFailure) {
        guard command.output != "-" else { return Output.standard.write(text) }
        try TextFiles.write(text, to: command.output)
        say("written to \(command.output)")
    }

    private func say(_ text: String) { Output.error.write(text + "\n") }

    /// Shows an event as a line of a transcript.
    private static func show(_ event: Conversation.Event, _ mask: SecretMask) {
        let text: String
        switch event.kind {
        case .opened: text = "has connected"
        case .closed(let side, let isReset):
            text =
                "\(side == .fromClient ? "has closed" : "was closed")\(isReset ? " by a reset" : "")"
        case .gap: return
        case .line(let line):
            let payload =
                line.payload.map {
                    "  payload \(ScenarioSpelling.string(mask.masked($0)))"
                } ?? ""
            text =
                "\(line.direction == .fromClient ? "->" : "<-") \(escapedForDisplay(mask.masked(line.bytes)))\(payload)"
        }
        let tenths = event.time / 100_000_000
        Output.error.write(
            "\(tenths / 10).\(tenths % 10)s  client \(event.connection + 1) \(text)\n")
    }
}
