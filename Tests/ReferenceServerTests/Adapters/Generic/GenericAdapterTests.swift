import DialectFiles
import Diagnostics
import LineProtocol
import ReferenceServer
import Testing

/// Protocols without an adapter of their own.
@Suite(.timeLimit(.minutes(5))) struct GenericAdapterTests {
    private static let tilde = """
        name: tilde
        framing: {terminator: LF}
        fields: {separator: '~'}
        escaping: {escape: '^', letters: {'^': '^', t: '~', n: LF}}
        commands:
          hello:   {wire: HI,  from: client, arguments: [name: text]}
          welcome: {wire: OK,  from: server, arguments: [name: text, count: int]}
          refused: {wire: ERR, from: server, arguments: [reason: text]}
          say:     {wire: SAY, from: client, arguments: [to: text, text: text]}
          said:    {wire: MSG, from: server, arguments: [from: text, text: text, loud: bool = false]}
          enter:   {wire: IN,  from: client, arguments: [room: text]}
          entered: {wire: IS,  from: server, arguments: [room: text]}
          tell:    {wire: ALL, from: client, arguments: [room: text, text: text]}
          told:    {wire: GOT, from: server, arguments: [room: text, from: text, text: text]}
          ping:    {wire: PI,  from: client, arguments: [token: text]}
          pong:    {wire: PO,  from: server, arguments: [token: text]}
          bye:     {wire: BYE, from: both}
        behaviours:
          login: |
            -> hello(name: {{name}})
            <~ welcome(name: {{name}})
          probe: |
            -> PI~{{token}}
            <~ PO~{{token}}
          relay: |
            -> say(to: {{to}}, text: {{text}})
          arrival: |
            <~ said(from: {{from}}, text: {{text}})
          enter: |
            -> enter(room: "#{{room}}")
            <~ entered(room: "#{{room}}")
          say: |
            -> tell(room: "#{{room}}", text: {{text}})
          heard: |
            <~ told(room: "#{{room}}", from: {{from}}, text: {{text}})
          logout: |
            -> bye()
            <~ bye()
            closed
        rejects: [refused()]
        """

    private func dialect(_ text: String) throws -> Dialect {
        try DialectReader.dialect(from: SourceText(path: "tilde.yaml", text: text))
    }

    @Test func behavioursAreServed() async throws {
        try await withServer(speaking: try dialect(Self.tilde)) { server in
            let alice = try await TestClient.connect(to: server)
            #expect(try await alice.ask("PI~early\n", upTo: "PO") == ["PO~early"])
            #expect(try await alice.ask("SAY~bob~x\n", upTo: "ERR") == ["ERR~not logged in"])
            #expect(try await alice.ask("HI~alice\n", upTo: "OK") == ["OK~alice~0"])
            let bob = try await TestClient.connect(to: server)
            #expect(
                try await bob.ask("HI~ALICE\n", upTo: "ERR") == ["ERR~the nickname is in use"])
            #expect(try await bob.ask("HI~bob\n", upTo: "OK") == ["OK~bob~0"])
            try await alice.send("SAY~bob~a^tb^^\n")
            #expect(await bob.next() == "MSG~alice~a^tb^^")
            #expect(try await alice.ask("IN~#1\n", upTo: "IS") == ["IS~#1"])
            #expect(try await bob.ask("IN~#1\n", upTo: "IS") == ["IS~#1"])
            try await bob.send("ALL~#1~hello\n")
            #expect(await alice.next() == "GOT~#1~bob~hello")
            #expect(try await alice.ask("WHAT\n", upTo: "ERR") == ["ERR~not understood"])
            #expect(try await alice.ask("BYE\n", upTo: "BYE") == ["BYE"])
            #expect(await alice.next() == nil)
        }
    }

    @Test func refusedLinesCloseTheConnectionIfThatIsThePolicy() async throws {
        let closing = Self.tilde + "\npolicies: {unknown-command: close, early-command: close}\n"
        try await withServer(speaking: try dialect(closing)) { server in
            for login in ["", "HI~alice\n"] {
                let alice = try await TestClient.connect(to: server)
                try await alice.send(login + (login.isEmpty ? "SAY~bob~x\n" : "WHAT\n"))
                var last: String?
                while let line = await alice.next() { last = line }
                #expect(last?.hasPrefix("ERR~") == true)
            }
        }
    }

    @Test(arguments: [
        ("relay", "needs the `relay` behaviour"), ("arrival", "needs the `arrival` behaviour"),
        ("heard", "needs the `heard` behaviour"),
    ])
    func missingBehaviourIsNamed(name: String, words: String) async throws {
        var dialect = try dialect(Self.tilde)
        dialect.behaviours[name] = nil
        let without = dialect
        let error = await #expect(throws: ServerError.self) {
            try await ReferenceServer.start(speaking: without)
        }
        #expect(error?.code == .missingBehaviour(name))
        #expect(error?.message.contains(words) == true)
    }

    @Test func behaviourWithSeveralRequestsIsNamed() async throws {
        let text = Self.tilde.replacing(
            "-> say(to: {{to}}, text: {{text}})",
            with: "-> PI~1\n    <~ PO~1\n    -> say(to: {{to}}, text: {{text}})")
        let dialect = try dialect(text)
        let error = await #expect(throws: ServerError.self) {
            try await ReferenceServer.start(speaking: dialect)
        }
        #expect(error?.code == .missingBehaviour("relay"))
    }
}
