import Diagnostics
import Results
import Session
import Testing

/// Attribution of answers: to a probe, to an earlier probe, or to a line of the scenario.
struct BarrierTests {
    // MARK: Refused before login

    /// Runs a scenario against a server that refuses unknown commands.
    private func refusing(
        _ text: String, silentOn silent: Set<String> = ["NICK", "USER"]
    ) throws -> ScenarioOutcome? {
        try run("operators a\n" + text) { line in
            let verb = String(line.prefix { $0 != " " })
            if silent.contains(verb) { return "" }
            return verb == "FOO" ? ":srv 421 * FOO :Unknown\r\n" : ":srv 451 * :Not registered\r\n"
        }
    }

    @Test func refusalOfAScenarioLineIsNotTakenForAProbeAnswer() throws {
        // JOIN was refused, so the connection is not quiet.
        #expect(try refusing("a -> JOIN #x\na quiet\n")?.diagnostic?.code == "run.not-quiet")
        let kept = try refusing("a -> JOIN #x\na <! 001\na <- 451 {{...}}\na quiet\n")
        #expect(kept?.outcome == .passed, "\(failure(kept))")
        #expect(kept?.isTimingBased == false)
    }

    @Test func refusedLinesKeepTheirOrder() throws {
        let text = "a -> JOIN #x\na -> PART #x\na <! 001\na <- 451\na <- 451\na quiet\n"
        let result = try refusing(text)
        #expect(result?.outcome == .passed, "\(failure(result))")
        #expect(result?.isTimingBased == false)
    }

    @Test func linesSentAsOneStringAreCountedSeparately() throws {
        let text =
            "a -> \"JOIN #x\\r\\nPA\" | 1ms | \"RT #x\\r\\n\"\na <! 001\na <- 451\na <- 451\na quiet\n"
        let result = try refusing(text)
        #expect(result?.outcome == .passed, "\(failure(result))")
        #expect(result?.isTimingBased == false)
    }

    @Test func answeredLineCannotBeRefused() throws {
        let result = try refusing("a -> FOO\na <- 421\na quiet\na -> FOO\na <! 001\na <- 421\n")
        #expect(result?.outcome == .passed, "\(failure(result))")
        #expect(result?.isTimingBased == false)
    }

    @Test func silenceDecidesWhileALineMayBeRefused() throws {
        // NICK has no answer of its own, so only the following lines show what the refusal answers.
        let result = try refusing("a -> NICK a\na <! 001\na quiet\n")
        #expect(result?.outcome == .passed, "\(failure(result))")
        #expect(result?.isTimingBased == true)
        #expect(result.map { $0.duration < 1_000_000_000 } == true)
        #expect(result?.transcript.filter { $0.kind == .received }.map(\.role) == [.probe, .probe])
    }

    @Test func linesHeldBackWhileItIsUndecidedAreNotLost() throws {
        let result = try run("operators a\na -> NICK a\na <! 001\na <- TOPIC\na quiet\n") { line in
            switch line.prefix(4) {
            case "NICK": ""
            default: "451 x\r\nTOPIC a :late\r\n"
            }
        }
        // Lines after the second probe's answer arrive after `quiet`.
        #expect(result?.outcome == .passed, "\(failure(result))")
        #expect(result?.isTimingBased == true)
    }

    @Test func refusalBeforeTheProbeAnswerBelongsToTheScenario() throws {
        let result = try run("operators a\na -> JOIN #x\na <! 001\na <- 451\na quiet\n") { line in
            line.hasPrefix("PING ") ? "PONG x \(line.dropFirst(5))\r\n" : "451 * :no\r\n"
        }
        #expect(result?.outcome == .passed, "\(failure(result))")
        #expect(result?.isTimingBased == false)
    }

    @Test func closeDeliversHeldBackLines() throws {
        let text = "operators a\na -> NICK a\na <! 001\na <- 451\n"
        let result = try run(text) { line, client in
            line.hasPrefix("PING") ? [.send(client, "451 x\r\n"), .close(client)] : []
        }
        #expect(result?.outcome == .passed, "\(failure(result))")
    }

    // MARK: Late answers

    /// Runs a scenario against a server that delays its first probe answer.
    private func late(_ text: String, by delay: Int64) throws -> ScenarioOutcome? {
        let count = Counter()
        return try run("operators a\n" + text) { line, client in
            guard line.hasPrefix("PING ") else { return [.send(client, "OK\r\n")] }
            let pong = "PONG x \(line.dropFirst(5))\r\n"
            return count.next() == 1
                ? [.sendLater(client, pong, delay)] : [.send(client, pong)]
        }
    }

    @Test func lateAnswerIsIgnored() throws {
        let result = try late("a quiet\nwait 3s\na -> FOO\na <- OK\na quiet\n", by: 4_000_000_000)
        #expect(result?.outcome == .passed, "\(failure(result))")
        #expect(result?.isTimingBased == true)
        let pongs = result?.transcript.filter { $0.bytes.starts(with: Array("PONG".utf8)) } ?? []
        #expect(pongs.map(\.role) == [.probe, .probe])
    }

    @Test func lateAnswerWithoutATokenDoesNotAnswerALaterProbe() throws {
        let count = Counter()
        let text = "dialect nats\noperators b\nb quiet\nb <! MSG\n"
        let result = try run(text) { line, client in
            guard line == "PING" else { return [] }
            // The first answer is late. Lines before the second answer precede the second barrier.
            return count.next() == 1
                ? [.sendLater(client, "PONG\r\n", 2_050_000_000)]
                : [.sendLater(client, "MSG a 1 1\r\nx\r\nPONG\r\n", 400_000_000)]
        }
        #expect(result?.diagnostic?.code == "run.unwanted-line", "\(failure(result))")
    }

    @Test func scenarioProbeIsAnsweredFirst() throws {
        let text = "dialect nats\noperators b\nb -> PING\nb <! MSG\nb <- PONG\nb quiet\n"
        let result = try run(text) { $0 == "PING" ? "PONG\r\n" : "" }
        #expect(result?.outcome == .passed, "\(failure(result))")
        let roles = result?.transcript.filter { $0.kind == .received }.map(\.role)
        // The dialect ignores unexpected answers.
        #expect(roles == [.ignored, .probe, .probe])
    }

    @Test func scenarioProbeIsAnsweredFirstIfOnlyTheRequestHasAToken() throws {
        // EHLO is sent before the first probe.
        let text =
            "dialect smtp\noperators b\nb -> EHLO x\nb <- 250 {{...}}\nb -> VRFY y\nb <! 550\n"
            + "b <- 252 {{...}}\nb quiet\n"
        let result = try run(text) { $0.hasPrefix("VRFY") ? "252 maybe\r\n" : "250 ok\r\n" }
        #expect(result?.outcome == .passed, "\(failure(result))")
        let answers = result?.transcript.filter { $0.bytes.starts(with: Array("252".utf8)) }
        #expect(answers?.map { $0.role == .probe } == [false, true, true])
    }

    @Test func refusedScenarioProbeExpectsNoAnswer() throws {
        let text = "dialect nats\noperators b\nb -> PING x\nb <- -ERR {{...}}\nb quiet\n"
        let result = try run(text) { $0 == "PING" ? "PONG\r\n" : "-ERR 'Unknown'\r\n" }
        #expect(result?.outcome == .passed, "\(failure(result))")
        #expect(result?.isTimingBased == false)
    }

    @Test func answersOfAnOldConnectionAreIgnored() throws {
        let text = "dialect nats\noperators b\nb quiet\nb close\nb connect\nb quiet\nb <! MSG\n"
        let count = Counter()
        let result = try run(text) { line, client in
            count.next() == 1 ? [] : [.send(client, "PONG\r\n")]
        }
        #expect(result?.outcome == .passed, "\(failure(result))")
    }

    @Test func unansweredProbesAreForgottenEventually() throws {
        let result = try run(
            "operators a\nrepeat 100 {\n    a quiet\n}\n",
            options: {
                var options = ExecutionOptions()
                options.fileTimeout = 1_000_000_000_000
                return options
            }()
        ) { _ in "" }
        #expect(result?.outcome == .passed)
        #expect(result?.isTimingBased == true)
    }
}
