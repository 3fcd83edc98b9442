import DialectModel
import Diagnostics
import DialectFiles
import Foundation
import LineProtocol
import ReferenceServer
import Results
import Scenario
import Session
import Testing
import Transcript
import SessionTransport
import Transport

@testable import Capture
import RepositoryFiles

/// Conversion of captures to scenarios.
@Suite struct ScenarioTests {
    private static let folder = Repository.root.appending(path: "Scenarios")

    private struct Made {
        var text: String
        var sink: TranscriptSink
        var secrets: [String: [UInt8]]
    }

    /// Converts a capture to a scenario.
    private func scenario(_ capture: [UInt8], _ file: DialectFile) throws -> Made {
        var decoder = CaptureDecoder(
            MemorySource(capture), TranscriptSink(file.dialect), BoundDialect.of(file),
            ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        let sink = decoder.sink
        var options = ScenarioDraft.Options()
        options.secrets = DialectSecrets(BoundDialect.of(file))
            .find(in: sink.conversation)
        options.startedAt = sink.startedAt.map { $0 / 1_000_000_000 }
        options.comparesOccurrences = true
        options.dropsUnsolicited = true
        let draft = try ScenarioDraft(
            sink.conversation, dialect: BoundDialect.of(file), options: options)
        return Made(text: draft.text(), sink: sink, secrets: options.secrets)
    }

    private func run(
        _ text: String, _ file: DialectFile, secrets: [String: [UInt8]] = [:]
    ) async throws -> ScenarioOutcome {
        let server = try await ReferenceServer.start(speaking: file.dialect)
        let program = try ProgramCompiler.compile(
            ScenarioParser.file(from: SourceText(path: "scenario.chat", text: text)),
            with: BoundDialect.of(file), given: Set(secrets.keys))
        let result = await SessionDriver().run(
            program, options: ExecutionOptions(variables: secrets),
            at: Endpoint(.host("127.0.0.1", port: server.port))
        ).result
        await server.shutdown()
        return result
    }

    /// Creates a capture of a scenario run.
    private func capture(_ transcript: [TranscriptEntry], _ dialect: Dialect) -> [UInt8] {
        let payloadEnd = dialect.name == "nats" ? Array("\r\n".utf8) : []
        var connections: [String: ScriptedConnection] = [:]
        for (index, entry) in transcript.enumerated() {
            let name = entry.operatorName
            let time: Int64 = 1_700_000_000_000_000_000 + Int64(index) * 10_000_000
            var connection =
                connections[name] ?? ScriptedConnection(client: "10.0.0.1:\(50_000 + index)")
            connection.time = time
            if connections[name] == nil { connection.open() }
            connections[name] = nil
            let bytes =
                entry.bytes + entry.terminator + (entry.payload.map { $0 + payloadEnd } ?? [])
            switch entry.kind {
            case .connected: break
            case .sent: connection.send(bytes)
            case .received: connection.send(bytes, fromClient: false)
            case .closed: connection.finish(fromClient: true)
            case .closedByPeer, .resetByPeer: connection.finish(fromClient: false)
            }
            connections[name] = connection
        }
        let packets = connections.values.flatMap(\.packets).sorted { $0.time < $1.time }
        return CaptureWriter.pcap(packets)
    }

    @Test(arguments: [
        "livechat/login", "livechat/relay", "livechat/rooms", "livechat/who", "livechat/private",
        "livechat/escaping", "livechat/duplicate-nickname", "irc/join-part",
        "irc/private-message", "irc/channel-message", "irc/nickname-change", "nats/publish",
        "teamspeak/private-text", "teamspeak/session", "msnp/conversation",
    ])
    func scenarioFromCapturePassesAgainstFreshServer(_ name: String) async throws {
        let file = try DialectLibrary.find(String(name.prefix { $0 != "/" }))
        let text = try String(
            contentsOf: Self.folder.appending(path: "\(name).chat"), encoding: .utf8)
        // The transcript stands for the captured bytes, in which nothing is masked.
        let original = try await run(text, file.withoutSecrets)
        #expect(original.outcome == .passed)
        let made = try scenario(capture(original.transcript, file.dialect), file)
        #expect(made.sink.comments == 0)
        let replay = try await run(made.text, file, secrets: made.secrets)
        #expect(
            replay.outcome == .passed,
            "\(made.text)\n\(replay.diagnostic?.description ?? "")")
    }

    @Test func varyingValueBecomesTypedPlaceholder() throws {
        var packets: [CapturedPacket] = []
        for (index, name) in ["maria", "joe"].enumerated() {
            var connection = ScriptedConnection(client: "10.0.0.1:\(50_000 + index)")
            connection.time += Int64(index) * 1_000_000_000
            connection.open()
            connection.send("S0001|\(name)\n")
            connection.send("R0001|\(4711 + index)|\(name)\n", fromClient: false)
            connection.send("R0010|motd one\nR0010|motd two\n", fromClient: false)
            connection.send("R0010|greetings x7Kq29Lm8Zt4\n", fromClient: false)
            packets += connection.packets
        }
        let text = try scenario(CaptureWriter.pcap(packets), DialectLibrary.find("livechat")).text
        #expect(text.contains("maria <- R0001|{{_:int}}|maria\n"), "\(text)")
        #expect(text.contains("joe   <- R0001|{{_:int}}|joe\n"))
        #expect(text.contains("maria <- R0010|motd one\n"))
        #expect(text.contains("joe   <- R0010|greetings {{_:word}}\n"))
    }

    @Test(arguments: [
        ("irc", "PASS hunter2\r\nNICK alice\r\n", "alice -> PASS {{password}}\n"),
        ("irc", "NICK alice\r\nOPER al ab\r\n", "alice -> OPER al {{password}}\n"),
        (
            "nats", "CONNECT {\"verbose\":false,\"user\":\"al\",\"pass\":\"s3cret\"}\r\n",
            "client -> CONNECT {\"verbose\":false,\"user\":\"al\",\"pass\":\"{{pass}}\"}\n"
        ),
        (
            "nats", "CONNECT {\"pass\": \"x\", \"auth_token\" : 1234}\r\n",
            "client -> CONNECT {\"pass\": \"{{pass}}\", \"auth_token\" : {{auth_token}}}\n"
        ),
        (
            "irc", "WEBIRC hunter2 gw a.example 192.0.2.1\r\nNICK alice\r\n",
            "WEBIRC {{password}} gw "
        ),
        ("irc", "NICK alice\r\nNS IDENTIFY hunter2\r\n", "alice -> NS IDENTIFY {{parameters}}\n"),
        (
            "irc", "NICK alice\r\nPRIVMSG NickServ :IDENTIFY hunter2\r\n",
            "alice -> PRIVMSG NickServ :IDENTIFY {{text}}\n"
        ),
        ("irc", "NICK alice\r\nPASS x\r\n", "alice -> PASS {{password}}\n"),
        ("irc", "NICK alice\r\nMODE #a +k key\r\n", "alice -> MODE #a +k {{parameters}}\n"),
        ("irc", "NICK alice\r\nMODE #a +k test\r\nJOIN #testing\r\n", "alice -> JOIN #testing\n"),
    ])
    func passwordsBecomeSecrets(dialect: String, line: String, step: String) throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send(line)
        let made = try scenario(connection.capture, DialectLibrary.find(dialect))
        #expect(made.text.contains(step), "\(made.text)")
        #expect(made.text.contains("\nsecret "))
    }

    @Test func secretsFromTheWrongSideBecomeSecrets() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("NICK alice\r\n")
        connection.send("PASS hunter2\r\n:srv 324 alice #a +k key4\r\n", fromClient: false)
        let made = try scenario(connection.capture, DialectLibrary.find("irc"))
        #expect(!made.text.contains("hunter2") && !made.text.contains("key4"), "\(made.text)")
        #expect(Set(made.secrets.keys) == ["password", "parameters"])
    }

    @Test func missingDataBecomesCommentAtItsPosition() throws {
        var connection = ScriptedConnection()
        connection.send(":srv 001 alice :hi\r\n", fromClient: false)
        connection.send("PRIVMSG #room :this is lo", isCaptured: false)
        connection.send("st\r\nPRIVMSG #room :after\r\n")
        connection.acknowledge()
        connection.time += 100_000_000
        connection.acknowledge()
        connection.send("PRIVMSG #room :unfin")
        let made = try scenario(connection.capture, DialectLibrary.find("irc"))
        #expect(
            made.text.contains(
                "# connection 1 (10.0.0.1:50000): started before the capture; earlier lines are "
                    + "missing\n"), "\(made.text)")
        #expect(made.text.contains(": 25 bytes from the client missing here\n"))
        #expect(
            made.text.contains(": only the end of a line from the client was captured\n"))
        #expect(
            made.text.contains(": only the start of a line from the client was captured\n"))
        #expect(made.text.contains("client -> PRIVMSG #room :after\n"))
        #expect(made.sink.comments == 4)
    }

    @Test func encryptionBecomesCommentEvenWithoutLines() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("\u{16}\u{3}\u{1}\u{0}\u{10}\u{1}" + String(repeating: "x", count: 16))
        let made = try scenario(connection.capture, DialectLibrary.find("irc"))
        #expect(made.text.contains(": encrypted from here on; the rest is missing\n"))
        #expect(made.sink.silentConnections == 1)
    }

    @Test func resetAfterFINCountsAsClose() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("NICK alice\r\n")
        connection.finish(fromClient: true)
        connection.send(":srv NOTICE * :late\r\n", fromClient: false)
        connection.append(connection.packet(fromClient: true, "", [.rst]))
        let text = try scenario(connection.capture, DialectLibrary.find("irc")).text
        #expect(text.hasSuffix("alice -> NICK alice\nalice close\n"), "\(text)")
    }
}

extension DialectFile {
    /// The dialect with no argument declared secret.
    fileprivate var withoutSecrets: DialectFile {
        let signatures = dialect.commands.signatures.map { signature in
            var signature = signature
            for index in signature.arguments.indices {
                signature.arguments[index].isSecret = false
            }
            return signature
        }
        var file = self
        file.isBuiltIn = false
        file.dialect.commands = CommandTable(signatures)
        return file
    }
}
