import DialectModel
import DialectFiles
import Diagnostics
import Results
import Scenario
import Session
import Testing

private let collision = """
    title     A nickname is unique whatever its case
    operators alice, bob
    cite      RFC 2812 §3.1.2  must

    on <- PING {{token}}  reply -> PONG {{token}}
    ignore NOTICE

    alice -> NICK alice
    alice -> USER alice 0 * :Alice
    alice <- 001 alice {{...}}           # the next line that is not ignored must match
    alice <~ 376                         # skip lines until one matches

    bob   -> NICK ALICE
    bob   -> USER bob 0 * :Bob
    bob   <- 433 {{...}}  within 2s
    bob   <! 001
    """

@Test(arguments: UInt64(1)...20)
func scenarioPassesWithAnyDelays(seed: UInt64) throws {
    let result = try run(collision, seed: seed)
    #expect(result?.outcome == .passed, "\(failure(result))")
}

@Test func receivingByteByByteGivesTheSameResult() throws {
    #expect(try run(collision, dripFeeds: true)?.outcome == .passed)
}

@Test func theSameSeedGivesTheSameTranscript() throws {
    let first = try run(collision, seed: 7)
    let second = try run(collision, seed: 7)
    #expect(first?.transcript == second?.transcript)
    #expect(first?.transcript.isEmpty == false)
}

@Test func mismatchReportsExpectedAndReceivedLine() throws {
    let result = try run(collision, .acceptsTakenNicknames)
    #expect(result?.outcome == .failed)
    #expect(result?.line == 15)
    #expect(
        result?.diagnostic?.message == "expected 433 (nickname in use), got 001 (welcome)")
    #expect(result?.diagnostic?.location?.label.hasPrefix("received \":srv 001 ALICE") == true)
    #expect(result?.diagnostic?.location?.label.contains("after the send on line 14") == true)
    #expect(
        result?.diagnostic?.notes.contains(DiagnosticNote(.cite, "RFC 2812 §3.1.2 (must)")) == true)
}

@Test(arguments: [
    (
        ToyIRCServer.Fault.refusesConnections, ScenarioOutcome.Outcome.inconclusive,
        "run.no-connection"
    ),
    (.closesAtOnce, .failed, "run.closed"),
    (.resetsAtOnce, .failed, "run.closed"),
    (.neverAnswers, .failed, "run.timeout"),
])
func unusableServerEndsTheScenario(
    fault: ToyIRCServer.Fault, outcome: ScenarioOutcome.Outcome, code: String
) throws {
    let result = try run(collision, fault)
    #expect(result?.outcome == outcome)
    #expect(result?.diagnostic?.code.word == code)
}

private let login = """
    operators alice, bob
    use login

    """

@Test func behaviourLogsIn() throws {
    let result = try run(login + "sync\n")
    #expect(result?.outcome == .passed, "\(failure(result))")
    #expect(result?.isTimingBased == false)
}

/// Steps after a login of alice and bob, with the expected failure code (nil: they pass).
private let steps: [(String, ToyIRCServer.Fault, String?)] = [
    ("alice -> PRIVMSG bob hi\nbob <- PRIVMSG bob :hi", .none, nil),
    ("alice -> PRIVMSG bob :hi\nbob <- :alice!{{_}} PRIVMSG bob hi", .none, nil),
    ("alice -> PRIVMSG bob :hi\nbob <- :carol!{{_}} PRIVMSG bob hi", .none, "run.mismatch"),
    ("alice -> PRIVMSG bob :hi\nbob <- PRIVMSG bob :ho", .none, "run.mismatch"),
    (
        "alice -> PRIVMSG bob :a b\nbob <- PRIVMSG bob :a {{rest...}}\nbob -> PRIVMSG alice {{rest}}\n"
            + "alice <- PRIVMSG alice b", .none, nil
    ),
    (
        "alice -> PRIVMSG bob :n=12\nbob <- PRIVMSG bob :n={{n:int}}\n"
            + "alice -> PRIVMSG bob {{n}}\nbob <- PRIVMSG bob 12", .none, nil
    ),
    ("alice -> PRIVMSG bob :n=x\nbob <- PRIVMSG bob :n={{n:int}}", .none, "run.mismatch"),
    ("alice -> PRIVMSG bob :abc\nbob <- PRIVMSG bob {{/[a-c]+/}}", .none, nil),
    ("alice -> PRIVMSG bob :abd\nbob <- PRIVMSG bob {{/[a-c]+/}}", .none, "run.mismatch"),
    ("alice -> PRIVMSG bob :hi\nbob <- PRIVMSG bob", .none, "run.mismatch"),
    ("alice -> PRIVMSG bob :hi\nbob <- PRIVMSG", .none, nil),
    ("alice -> PRIVMSG bob :hi\nbob <- PRIVMSG {{end}}", .none, "run.mismatch"),
    ("alice -> PRIVMSG bob :hi\nbob <- \":alice!u@h PRIVMSG bob :hi\"", .none, nil),
    ("alice -> PRIVMSG bob :hi\nbob <- \":alice!u@h PRIVMSG bob :hi\\r\\n\"", .none, nil),
    ("alice -> PRIVMSG bob :hi\nbob <- \":alice!u@h PRIVMSG bob :hi\\n\"", .none, "run.mismatch"),
    ("alice -> PRIVMSG bob :hi\nbob <- privmsg(target: \"bob\", text: \"hi\")", .none, nil),
    ("alice -> privmsg(target: \"bob\", text: \"a b\")\nbob <- privmsg(text: \"a b\")", .none, nil),
    ("alice -> PRIVMSG bob :hi\nbob <- privmsg(text: \"ho\")", .none, "run.mismatch"),
    ("alice -> PRIVMSG bob :hi\nbob quiet", .none, "run.not-quiet"),
    ("alice -> PRIVMSG bob :hi\nalice quiet", .none, nil),
    ("alice -> PRIVMSG bob :hi\nbob <- PRIVMSG\nbob <! PRIVMSG", .none, nil),
    (
        "alice -> PRIVMSG bob :hi\nbob <- PRIVMSG\nsync\nbob <! PRIVMSG", .repeatsMessages,
        "run.unwanted-line"
    ),
    (
        "alice -> PRIVMSG bob :hi\nbob <- PRIVMSG\nbob <! PRIVMSG  for 100ms", .repeatsMessages,
        "run.unwanted-line"
    ),
    ("alice -> FOO\nalice <? 999\nalice <- 421 alice FOO {{...}}", .none, nil),
    ("alice <? 999\nalice -> FOO\nalice <- 421", .none, nil),
    ("alice -> \"FO\" | 5ms | \"O\\r\\n\"\nalice <- 421 alice FOO {{...}}", .none, nil),
    ("repeat 3 as i {\nalice -> PRIVMSG bob m{{i}}\nbob <- PRIVMSG bob m{{i}}\n}", .none, nil),
    (
        "alice -> PRIVMSG bob one\nbob -> PRIVMSG alice two\nany order {\nalice <- PRIVMSG alice two\n"
            + "bob <- PRIVMSG bob one\n}", .none, nil
    ),
    (
        "alice -> PRIVMSG bob one\nalice -> PRIVMSG bob two\nany order {\nbob <- PRIVMSG bob two\n"
            + "bob <- PRIVMSG bob one\n}", .none, nil
    ),
    ("alice -> PRIVMSG bob one\nany order {\nbob <- PRIVMSG bob two\n}", .none, "run.mismatch"),
    ("alice -> QUIT :bye\nalice <- ERROR {{...}}\nalice closed by fin", .none, nil),
    ("alice -> QUIT :bye\nalice closed by reset", .none, "run.wrong-close"),
    ("alice closed  within 1s", .none, "run.not-closed"),
    ("alice -> PRIVMSG bob x\nbob <- PRIVMSG  within 1s..2s", .none, "run.too-early"),
    ("alice abort\nname alice free  within 5s", .none, nil),
    ("alice close\nname alice free  within 5s", .keepsStaleSessions, "run.refused"),
    ("alice close\nalice connect\nuse login as alice\nsync", .none, nil),
    ("alice close\nalice -> FOO", .none, "run.not-connected"),
    ("outcome of {\nalice -> PRIVMSG bob hi\n} same as {\nalice -> PRIVMSG bob :hi\n}", .none, nil),
    (
        "outcome of {\nalice -> PRIVMSG bob hi\n} same as {\nalice -> PRIVMSG bob :ho\n}", .none,
        "run.pair-differs"
    ),
    ("eventually within 3s {\nalice -> FOO\nalice <- 999  within 100ms\n}", .none, "run.mismatch"),
    ("wait 100ms\nthink 1ms..5ms\nsync alice", .none, nil),
    (
        "fragment hello(text) {\nself -> PRIVMSG bob {{text}}\n}\nuse hello as alice (text: \"yo\")\n"
            + "bob <- PRIVMSG bob yo", .none, nil
    ),
    (
        "use relay as alice (to: \"bob\", text: \"a b\")\nuse arrival as bob (from: \"alice\", text: \"a b\")",
        .none, nil
    ),
]

@Test(arguments: steps)
func stepsBehaveAsDocumented(
    text: String, fault: ToyIRCServer.Fault, code: String?
) throws {
    let result = try run(login + text + "\n", fault)
    #expect(result?.diagnostic?.code.word == code, "\(failure(result))")
    #expect(result?.outcome == (code == nil ? .passed : .failed))
}

@Test func refusedProbeBeforeLoginStillActsAsBarrier() throws {
    let result = try run("operators bob\nbob -> FOO\nbob <- 421\nbob <! 001\n")
    #expect(result?.outcome == .passed, "\(failure(result))")
    #expect(result?.isTimingBased == false)
}

@Test func unansweredProbeMakesTheVerdictTimingBased() throws {
    let result = try run(login + "bob <! 999\n", .answersPingLate)
    #expect(result?.outcome == .failed)  // already the login waits for its own probe
    let quiet = try run("operators bob\nbob <! 999\n", .neverAnswers)
    #expect(quiet?.outcome == .passed)
    #expect(quiet?.isTimingBased == true)
}

@Test func fileTimeoutEndsTheScenario() throws {
    let result = try run("operators a\ntimeout file 1s\na connect\nwait 1m\n")
    #expect(result?.diagnostic?.code.word == "run.file-timeout")
    #expect(result.map { $0.duration >= 1_000_000_000 && $0.duration < 1_100_000_000 } == true)
}

@Test func secretsAreMaskedInTranscriptAndDiagnostics() throws {
    var options = ExecutionOptions()
    options.variables = ["pw": Array("hunter2".utf8)]
    options.secrets = ["pw"]
    let text = "operators a\nsecret pw\na -> hunter2{{pw}} x\na <- PRIVMSG {{pw}}\n"
    let source = SourceText(path: "t.chat", text: text)
    let file = try ScenarioParser.file(from: source)
    let irc = try compiledDialect("irc")
    let program = try ProgramCompiler.compile(
        file, with: BoundDialect.of(irc), given: ["pw"])
    var session = ScenarioSession(program, options: options)
    var network = SimulatedNetwork(ToyIRCServer())
    let result = network.run(&session)
    #expect(result?.outcome == .failed)
    #expect(result.map { "\($0)" }?.contains("hunter2hunter2") == false)
    let shown = result?.transcript.map { String(decoding: $0.bytes, as: UTF8.self) } ?? []
    #expect(shown.allSatisfy { !$0.contains("hunter2") })
    #expect(failure(result).contains("hunter2") == false)
}

@Test func namesOfSASLMechanismsAreNotMasked() throws {
    let text = """
        dialect irc
        operators a
        a -> AUTHENTICATE PLAIN
        a -> AUTHENTICATE aHVudGVyMg==
        a -> PRIVMSG b :PLAIN text, not aHVudGVyMg==
        a <- never

        """
    let result = try run(text)
    let shown = (result?.transcript ?? []).map { String(decoding: $0.bytes, as: UTF8.self) }
    let sent = shown.filter { $0.hasPrefix("AUTHENTICATE") || $0.hasPrefix("PRIVMSG") }
    #expect(
        sent == [
            "AUTHENTICATE PLAIN", "AUTHENTICATE ***", "PRIVMSG b :PLAIN text, not ***",
        ])
}

@Test func payloadIsCompared() throws {
    let text = "dialect nats\noperators bob\nbob <- MSG b 2 1  payload \"1\"\n"
    var session = ScenarioSession(try compiled(text), options: ExecutionOptions())
    var network = SimulatedNetwork(GreetingServer(greeting: "MSG b 2 1\r\n2\r\n"))
    #expect(network.run(&session)?.diagnostic?.code.word == "run.mismatch")
    session = ScenarioSession(try compiled(text), options: ExecutionOptions())
    network = SimulatedNetwork(GreetingServer(greeting: "MSG b 2 1\r\n1\r\n"))
    #expect(network.run(&session)?.outcome == .passed)
}

/// A server that sends a greeting to every client.
private struct GreetingServer: SimulatedServer {
    var greeting: String

    mutating func connected(_ client: ConnectionID) -> [ServerEffect] { [.send(client, greeting)] }

    mutating func received(_ line: String, from client: ConnectionID) -> [ServerEffect] { [] }
}

/// Regressions, each with the order of events that revealed it.
private let regressions: [(String, Segmentation, String?)] = [
    (
        "set nick = \"al{{nonce}}\"\noperators a\na -> NICK {{nick}}\na -> USER u 0 * :x\na <~ 001 {{nick}} {{...}}",
        .whole, nil
    ),
    ("operators alice, bob\nuse login\nalice quiet\nbob <! 001\nsync", .coalesce, nil),
    ("operators alice, bob\nuse login\nalice quiet\nbob <! 001\nsync", .finWithData, nil),
    (
        "operators bob\nname alice free  within 5s\nname alice free  within 5s\nuse login", .whole,
        nil
    ),
    ("use login as alice\nsync", .whole, nil),
    (
        "operators alice, bob\nuse login\nfragment echo(n) {\nself -> PRIVMSG alice {{n}}\n"
            + "self <- PRIVMSG {{_}} {{said}}\n}\nuse echo as alice (n: 1)\nuse echo as alice (n: 2)",
        .whole, nil
    ),
    ("operators a\na -> FOO\na <? 999  within 100ms\na <- 421", .whole, nil),
    ("operators a\na -> FOO\nwait 50ms\nignore 421\na <! 421  for 10ms\na quiet", .byte, nil),
    (
        "operators alice, bob\nuse login\nalice -> PRIVMSG bob x\nany order {\n"
            + "bob <- PRIVMSG  within 1s..2s\n}", .whole, "run.too-early"
    ),
    (
        "operators a\neventually within 300ms {\na -> FOO\na <- 999  within 5s\n}", .whole,
        "run.mismatch"
    ),
    ("operators a\neventually within 300ms {\na <- 999  within 5s\n}", .whole, "run.timeout"),
    ("operators alice\nuse login\nalice -> QUIT\nalice closed\nsync alice", .whole, "run.closed"),
    (
        "operators alice\nuse login\nalice -> QUIT\nalice closed\nalice connect\nuse login\nsync",
        .whole,
        nil
    ),
    ("operators a\na connect\na half-close\na -> FOO", .whole, "run.half-closed"),
]

@Test(arguments: regressions)
func verdictIsIndependentOfOrderAndTiming(
    text: String, segmentation: Segmentation, code: String?
) throws {
    var options = ExecutionOptions()
    options.segmentation = segmentation
    let result = try run("dialect irc\n" + text + "\n", options: options)
    #expect(result?.diagnostic?.code.word == code, "\(failure(result))")
    #expect(result?.isTimingBased != true || text.contains(" for "))
}

@Test func lineAfterAProbeAnswerInTheSameReadIsDeliveredAfterIt() throws {
    let text = "dialect nats\noperators bob\nbob <! MSG\nbob <- MSG a 1 1  payload \"x\"\n"
    var session = ScenarioSession(try compiled(text), options: ExecutionOptions())
    var network = SimulatedNetwork(OneBreathServer())
    let result = network.run(&session)
    #expect(result?.outcome == .passed, "\(failure(result))")
}

/// A server that answers a probe and sends another message in the same segment.
private struct OneBreathServer: SimulatedServer {
    mutating func received(_ line: String, from client: ConnectionID) -> [ServerEffect] {
        [.send(client, "PONG\r\nMSG a 1 1\r\nx\r\n")]
    }
}

@Test func loopWithoutWaitsYieldsToTheDriver() throws {
    let text = "dialect irc\noperators a\ntimeout file 1s\nrepeat 3000 {\na -> FOO\n}\n"
    let result = try run(text)
    #expect(result?.outcome == .passed)
    #expect((result?.transcript.count ?? 0) <= 7000)
}
