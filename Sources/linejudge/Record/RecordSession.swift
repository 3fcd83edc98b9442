import Diagnostics
import DialectFiles
import Foundation
import LineProtocol
import Recorder
import ReferenceServer
import Results
import Runner
import Scenario
import Session
import Transcript
import Transport
import TransportTLS

/// One recording, from options to scenario.
struct RecordSession {
    let command: RecordCommand
    let server: Endpoint
    let dialect: DialectFile
    private let listen: Endpoint
    private let security: (any ConnectionSecurity)?
    private let clientSecurity: TLSServer?

    /// - Throws: a usage error if an option is invalid.
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
                Diagnostic(.error, .badOption, "missing dialect").help(
                    "give --dialect NAME, or --server irc://HOST"))
        }
        dialect = try DialectLibrary.find(name)
        if let server {
            let target = try ReplayTarget(server, dialect.dialect, command.trust)
            (self.server, security) = (target.endpoint, target.security)
        } else {
            self.server = Endpoint(.host("127.0.0.1", port: nil))
            security = nil
        }
        listen =
            switch command.listen?.address ?? .tcp(host: "127.0.0.1", port: 0) {
            case .tcp(let host, let port): Endpoint(.host(host, port: port))
            case .unixSocket(let path): Endpoint(.unix(path: path))
            }
        if let certificate = command.tlsCert, let key = command.tlsKey {
            clientSecurity = try TLSServer(certificatePath: certificate, keyPath: key)
        } else {
            clientSecurity = nil
        }
    }

    /// Records until stopped, and writes the scenario.
    func record(at endpoint: Endpoint) async throws {
        try ScenarioWriting.check(command.scenario)
        let interruptions = Interruptions()
        let startedAt = Int64(Date().timeIntervalSince1970)
        let recording = try await record(at: endpoint, interruptions)
        for remark in recording.remarks { say("linejudge record: \(remark)") }
        let writing = ScenarioWriting(
            command: "linejudge record", dialect: dialect, options: command.scenario,
            target: command.noReplay ? nil : ReplayTarget(endpoint, security))
        try await writing.write(
            recording.conversation, startedAt: startedAt,
            nothing: CommandFailure(
                recording.remarks.isEmpty ? .inconclusive : .unavailable, .badOption,
                "no lines were recorded",
                help: "point a client at the address of the recorder"))
    }

    private func record(
        at endpoint: Endpoint, _ interruptions: Interruptions
    ) async throws -> Recording {
        var options = Recorder.Options(listen: listen, server: endpoint)
        options.security = security
        if let clientSecurity { options.prepareClient = { try clientSecurity.secure($0) } }
        let mask = SecretMask(Array(command.scenario.secretValues.values))
        if !command.quiet { options.observe = { [mask] in Self.show($0, mask) } }
        let recorder: Recorder
        do {
            recorder = try await Recorder.start(dialect.dialect, options)
        } catch {
            throw CommandFailure(
                .unavailable, .badOption, error.reason,
                help: "choose another --listen address; port 0 picks a free port")
        }
        let scheme = clientSecurity == nil ? "" : "tls://"
        let address =
            recorder.port.map { Endpoint(.host(listen.host ?? "127.0.0.1", port: $0)).location }
            ?? "unix:\(listen.location)"
        say(
            "recording between \(scheme)\(address) and \(endpoint.description) "
                + "(\(dialect.dialect.name)); press Ctrl-C to stop")
        await waitForEnd(recorder, interruptions)
        return await recorder.finish()
    }

    /// Waits for a signal, `--once` or `--for`.
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
            // Ends the task that waits for clients.
            _ = await recorder.finish()
        }
    }

    private func say(_ text: String) { Output.error.write(text + "\n") }

    /// Shows an event as a line of a transcript.
    private static func show(_ event: Conversation.Event, _ mask: SecretMask) {
        let text: String
        switch event.kind {
        case .opened: text = "connected"
        case .closed(let side, let isReset):
            text =
                "\(side == .fromClient ? "disconnected" : "was disconnected")\(isReset ? " with a reset" : "")"
        case .remark: return
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
