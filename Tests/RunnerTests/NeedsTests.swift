import Diagnostics
import Results
import Session
import SessionTransport
import Testing
import Transport

@testable import Runner

/// `needs` lines, against a real server over sockets.
@Suite(.timeLimit(.minutes(5)))
struct NeedsTests {
    private static let dialect = """
        name: survey
        commands:
          hello: {wire: HELLO, from: client, arguments: [name: text]}
          welcome: {wire: WELCOME, from: server, arguments: [name: text]}
          features: {wire: FEATURES, from: server, arguments: [names: text...]}
          unknown: {wire: UNKNOWN, from: server, arguments: [command: text]}
          ping: {wire: PING, from: client, arguments: [token: text]}
          pong: {wire: PONG, from: server, arguments: [token: text]}
        behaviours:
          login: |
            -> hello(name: {{name}})
            <~ welcome(name: {{name}})
          probe: |
            -> ping(token: {{token}})
            <~ pong(token: {{token}})
          survey: |
            -> LIST
            -> hello(name: {{name}})
            <~ welcome(name: {{name}})
        rejects:
          - unknown()
        offers:
          feature: {command: features, argument: names}
          letter: {letters-of: [feature.modes]}
          command: {refusal: unknown, argument: command}
        """

    /// Answers LIST with its arguments, counts surveys, and refuses unknown commands. In the mode
    /// `stale`, the first survey fails, and its login name stays in use.
    private static let server = """
        import os, socketserver, sys
        surveys = 0
        held = set()
        class Client(socketserver.StreamRequestHandler):
            def handle(self):
                global surveys
                isFirst = False
                for line in self.rfile:
                    word, _, rest = line.decode().rstrip("\\r\\n").partition(" ")
                    if word == "HELLO" and isFirst:
                        held.add(rest)
                        return
                    elif word == "HELLO" and rest in held: answer = "UNKNOWN HELLO"
                    elif word == "HELLO": answer = "WELCOME " + rest
                    elif word == "PING": answer = "PONG " + rest
                    elif word == "COUNT": answer = "COUNTED %d" % surveys
                    elif word == "SAY": answer = "SAID " + rest
                    elif word == "LIST":
                        surveys += 1
                        if sys.argv[2:] == ["mute"]: return
                        isFirst = sys.argv[2:] == ["stale"] and surveys == 1
                        if isFirst: continue
                        answer = "FEATURES fast colour=RED modes=abc"
                    else: answer = "UNKNOWN " + word
                    self.wfile.write((answer + "\\n").encode())
        socketserver.ThreadingTCPServer.allow_reuse_address = True
        socketserver.ThreadingTCPServer.daemon_threads = True
        socketserver.ThreadingTCPServer(("127.0.0.1", int(sys.argv[1])), Client).serve_forever()
        """

    /// Runs a scenario for each header, on one server.
    private func results(
        _ headers: [String], steps: String = "use login as alice", fixtures: Set<String> = [],
        mode: String = ""
    ) async throws -> [ScenarioResult] {
        let files = ["survey.yaml": Self.dialect, "server.py": Self.server]
        return try await withFolder(files) { folder in
            let scenarios = headers.enumerated().map { index, header in
                ScenarioLoader().load(
                    SourceText(
                        path: folder("\(index).chat"),
                        text: "dialect survey\n\(header)\n\(steps)\n"))
            }
            var options = RunOptions(toolVersion: "test", startedAt: 0)
            options.command = ServerCommand("python3 \(folder("server.py")) {{port}} \(mode)")
            options.fixtures = fixtures
            let results = await ScenarioRunner(options, executor: SessionDriver()).run(scenarios)
            #expect(results.diagnostics.isEmpty, "\(results.diagnostics)")
            return results.scenarios
        }
    }

    @Test func scenariosRunIfTheServerOffersWhatTheyNeed() async throws {
        let needs = ["feature fast", "feature fast, colour", "letter b", "command COUNT"]
        let found = try await results(needs.map { "needs \($0)" })
        #expect(found.map(\.verdict) == needs.map { _ in .passed }, "\(found.map(\.reason))")
    }

    @Test func otherScenariosAreSkippedWithTheReason() async throws {
        let needs = ["feature slow", "letter d", "letter modes", "command FROB", "fixture account"]
        let found = try await results(needs.map { "needs feature fast\nneeds \($0)" })
        #expect(found.map(\.verdict) == needs.map { _ in .skipped })
        #expect(found[0].reason == "needs feature slow, which the server does not offer")
        #expect(found[3].reason == "needs command FROB, which the server does not offer")
        #expect(
            found[4].reason == "needs fixture account; pass --fixture account if the server has it")
    }

    @Test func fixturesAreGivenByTheUser() async throws {
        let found = try await results(["needs fixture account"], fixtures: ["account"])
        #expect(found.map(\.verdict) == [.passed])
    }

    @Test func valuesOfOffersCanBeSent() async throws {
        let steps = """
            use login as alice
            alice -> SAY {{offer.feature.colour}}
            alice <- SAID RED
            """
        let found = try await results(["needs feature colour"], steps: steps)
        #expect(found.map(\.verdict) == [.passed], "\(found.map(\.reason))")
    }

    @Test func aServerIsSurveyedOnce() async throws {
        let steps = "use login as alice\nalice -> COUNT\nalice <- COUNTED 1"
        let found = try await results(
            ["needs feature fast", "needs feature colour", "needs letter a"], steps: steps)
        #expect(found.map(\.verdict) == [.passed, .passed, .passed], "\(found.map(\.reason))")
    }

    @Test func aSurveyThatFailsDecidesNothing() async throws {
        let found = try await results(["needs feature fast"], mode: "mute")
        #expect(found.map(\.verdict) == [.inconclusive])
        #expect(
            found[0].reason.hasPrefix("needs feature fast, but the server could not be queried: "))
        #expect(!found[0].isUnreachable)
    }

    @Test func aSurveyIsRepeatedUnderAnotherName() async throws {
        let found = try await results(["needs feature fast", "needs feature fast"], mode: "stale")
        #expect(found.map(\.verdict) == [.inconclusive, .passed], "\(found.map(\.reason))")
    }

    @Test func anUnknownKindIsAnError() async throws {
        let found = try await results(["needs featur fast"])
        #expect(found.map(\.verdict) == [.error])
        let error = try #require(found[0].diagnostics.first)
        #expect(error.message == "the `survey` dialect has no kind of offer named `featur`")
        #expect(error.location?.position.line == 2)
    }
}
