import Console
import Diagnostics
package import DialectFiles
import FoundationEssentials
import LineProtocol
package import Results
import Scenario
import Session
import Transcript
package import Transport
package import TransportTLS

/// Options for a recording, as given on the command line.
package struct RecordRequest: Sendable {
    /// Server to record; nil to start the reference server.
    package var server: String?
    package var dialect: String?
    package var trust = ServerTrust()
    /// Address for clients to connect to; nil for a free port on this machine.
    package var listen: ListenAddress?
    /// WebSocket path and options for clients to connect to; nil if clients do not use WebSocket.
    package var clientWebSocket: WebSocketAddress?
    /// Certificate and key for TLS connections from clients; nil to disable TLS.
    package var clientSecurity: (certificatePath: String, keyPath: String)?
    /// True to stop when the last client has disconnected.
    package var once = false
    /// Maximum duration of the recording, in nanoseconds; nil for no limit.
    package var duration: Int64?
    /// True to run the recorded scenario against the server.
    package var replays = true
    package var isQuiet = false
    package var scenario = ScenarioWriting.Options()

    package init() {}
}

/// A run of the `record` command, from its options to the finished scenario.
package struct RecordSession: Sendable {
    package let server: Endpoint
    package let dialect: DialectFile
    private let request: RecordRequest
    private let listen: Endpoint
    private let security: (any ConnectionSecurity)?
    private let clientSecurity: TLSServer?
    private let clientWebSocket: WebSocketAddress?

    /// Checks the command's options.
    ///
    /// - Throws: A usage error if an option is invalid.
    package init(_ request: RecordRequest) throws(CommandFailure) {
        let server = try CommandFailure.usage { () throws(Diagnosed) in
            try request.server.map { text throws(Diagnosed) in try Endpoint(parsing: text) }
        }
        guard
            let name = request.dialect ?? server?.dialect
                ?? (server == nil ? DialectLibrary.builtInServerDialect : nil)
        else {
            throw CommandFailure(
                .usage, .badOption, "missing dialect",
                help: "pass --dialect NAME or --server irc://HOST")
        }
        let dialect = try DialectFile.requested(name)
        do {
            try self.init(request, server, dialect)
        } catch {
            throw CommandFailure(.usage, error)
        }
    }

    private init(
        _ request: RecordRequest, _ server: Endpoint?, _ dialect: DialectFile
    ) throws(Diagnosed) {
        self.request = request
        self.dialect = dialect
        if let server {
            let target = try ReplayTarget(server, dialect.dialect, request.trust)
            (self.server, security) = (target.endpoint, target.security)
        } else {
            self.server = Endpoint(.host("127.0.0.1", port: nil))
            security = nil
        }
        var clientWebSocket =
            request.listen == nil && server?.webSocket != nil
            ? WebSocketAddress() : request.clientWebSocket
        clientWebSocket?.speak(dialect.dialect)
        self.clientWebSocket = clientWebSocket
        var listen =
            switch request.listen ?? .tcp(host: "127.0.0.1", port: 0) {
            case .tcp(let host, let port): Endpoint(.host(host, port: port))
            case .unixSocket(let path): Endpoint(.unix(path: path))
            }
        listen.webSocket = clientWebSocket
        listen.isSecure = request.clientSecurity != nil
        self.listen = listen
        clientSecurity = try request.clientSecurity.map { paths throws(Diagnosed) in
            try TLSServer(certificatePath: paths.certificatePath, keyPath: paths.keyPath)
        }
    }

    /// Records until stopped, then writes the scenario.
    package func record(at endpoint: Endpoint) async throws {
        Redaction.hide(request.scenario.secrets.values)
        try ScenarioWriting.check(request.scenario)
        if let failure = await ConnectionProbe.failure(of: endpoint) {
            throw CommandFailure(
                .unavailable, "record.unreachable", failure.reason,
                help: "start the server before recording")
        }
        let interruptions = Interruptions()
        let startedAt = Int64(Date().timeIntervalSince1970)
        var recording = try await record(at: endpoint, interruptions)
        if case .host(_, let port?) = endpoint.address, let number = UInt16(exactly: port) {
            recording.conversation.serverPorts.insert(number)
        }
        for warning in recording.warnings { say("linejudge record: \(warning)") }
        let writing = ScenarioWriting(
            command: "linejudge record", dialect: dialect, options: request.scenario,
            target: request.replays ? ReplayTarget(endpoint, security) : nil)
        try await writing.write(
            recording.conversation, startedAt: startedAt,
            nothing: CommandFailure(
                recording.warnings.isEmpty ? .inconclusive : .unavailable, .badOption,
                "no lines were recorded",
                help: "point a client at the recorder's address"))
    }

    private func record(
        at endpoint: Endpoint, _ interruptions: Interruptions
    ) async throws -> Recording {
        var options = Recorder.Options(listen: listen, server: endpoint)
        options.security = security
        let webSocket = clientWebSocket.map(WebSocketServer.init)
        options.prepareClient = { [clientSecurity] channel in
            try clientSecurity?.secure(channel)
            try webSocket?.prepare(channel)
        }
        if !request.isQuiet {
            let display = RecordingDisplay(
                dialect.dialect, SecretMask(Array(request.scenario.secrets.values)))
            options.observe = { display.show($0) }
        }
        let recorder: Recorder
        do {
            recorder = try await Recorder.start(dialect.dialect, options)
        } catch {
            throw CommandFailure(
                .unavailable, .badOption, error.reason,
                help: "choose another --listen address; port 0 picks a free port")
        }
        var address = listen
        if let port = recorder.port {
            address.address = .host(listen.host ?? "127.0.0.1", port: port)
        }
        let isPlain = listen.host != nil && !listen.needsHandshake
        say(
            "recording between \(isPlain ? address.location : address.description) and "
                + "\(endpoint.description) "
                + "(\(dialect.dialect.name)); press Ctrl-C to stop")
        await waitForEnd(recorder, interruptions)
        return await recorder.finish()
    }

    /// Waits for a signal, or for the end specified with `--once` or `--for`.
    private func waitForEnd(_ recorder: Recorder, _ interruptions: Interruptions) async {
        let (once, duration) = (request.once, request.duration)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await interruptions.next() }
            if once { group.addTask { await recorder.untilIdle() } }
            if let duration {
                group.addTask {
                    try? await Task.sleep(nanoseconds: UInt64(clamping: duration))
                }
            }
            await group.next()
            group.cancelAll()
            // This ends the task that waits for the clients to disconnect.
            _ = await recorder.finish()
        }
    }

    private func say(_ text: String) { Output.error.write(text + "\n") }
}
