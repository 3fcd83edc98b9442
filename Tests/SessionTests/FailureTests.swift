import Diagnostics
import Results
import Session
import Testing

/// Descriptions of received lines in failure messages.
struct FailureTests {
    private func label(_ result: ScenarioOutcome?) -> String {
        result?.diagnostic?.location?.label ?? ""
    }
    private func message(_ result: ScenarioOutcome?) -> String { result?.diagnostic?.message ?? "" }

    @Test func timeoutReportsThatNothingArrived() throws {
        let result = try run("operators a\na -> FOO\na <- 421\n") { _ in "" }
        #expect(label(result) == "nothing arrived for a, last send on line 2")
    }

    /// Lines that were answered, ignored, skipped or unsolicited.
    @Test(arguments: [
        ("ignore NOTICE\na -> FOO\na <- 421\n", 4),
        ("a -> FOO\na <~ 421\n", 3),
        ("on <- NOTICE  reply -> BAR\na -> FOO\na <- 421\n", 4),
        ("a -> FOO\nany order {\na <~ 421\n}\n", 3),
        ("a -> FOO\na closed\n", 3),
    ])
    func timeoutShowsTheLastSkippedLine(text: String, line: Int) throws {
        let result = try run("operators a\n" + text) { line in
            line == "FOO" ? "NOTICE x :one\r\nNOTICE x :two\r\n" : ""
        }
        #expect(
            label(result)
                == "2 other lines skipped for a, last: \"NOTICE x :two\", last send on line "
                + "\(line == 4 ? 3 : 2)")
    }

    @Test func linesSkippedBeforeTheStepAreCounted() throws {
        let text = "operators a, b\nignore NOTICE\na -> FOO\nb -> BAR\nb <- BAR\na <- 421\n"
        let result = try run(text) { $0 == "FOO" ? "NOTICE x :hi\r\n" : "BAR\r\n" }
        #expect(
            label(result).hasPrefix("1 other line skipped for a, last: \"NOTICE x :hi\""))
    }

    @Test func theClosestSkippedLineIsComparedWithTheExpectedOne() throws {
        let text = "operators a\na -> FOO\na <~ PONG x yes\n"
        let result = try run(text) { _ in "PONG x no\r\nNOTICE x\r\n" }
        let notes = result?.diagnostic?.notes.map(\.text) ?? []
        #expect(
            notes.first
                == "the closest line was \"PONG x no\": expected \"yes\" as field 2 of PONG, got \"no\""
        )
        let other = try run(text.replacing("PONG x", with: "PING x")) { _ in "NOTICE x\r\n" }
        #expect(other?.diagnostic?.notes.isEmpty == true)
    }

    @Test func matchingLineResetsTheSkippedLines() throws {
        let text = "operators a\na -> FOO\na <~ 376\na <- 421\n"
        let result = try run(text) { _ in "372 :motd\r\n376 :end\r\n" }
        #expect(label(result) == "nothing arrived for a, last send on line 2")
    }

    @Test func timeoutShowsBytesWithoutALineEnd() throws {
        let result = try run("operators a\na -> FOO\na <- 421\n") { _ in "421 a FOO" }
        #expect(
            label(result)
                == "9 bytes without a line ending for a: \"421 a FOO\", last send on line 2")
        let half = try run("dialect nats\noperators a\na connect\na -> FOO\na <- MSG\n") { _ in
            "MSG a 1 5\r\nhel"
        }
        #expect(label(half).contains("of a line with an incomplete payload for a: \"MSG a 1 5"))
    }

    @Test func completeLinesAfterTheTimeoutAreNotShownAsUnfinished() throws {
        let text = "operators a\na connect\na <~ 376  within 1s\n"
        var session = ScenarioSession(try compiled(text), options: ExecutionOptions())
        let id = ConnectionID(operatorIndex: 0, generation: 1)
        session.start(at: 0)
        session.handle(.connected(id), at: 1)
        session.receive(Array("372 a\r\n372 b\r\n37".utf8).span, id, at: 2_000_000_000)
        #expect(
            label(session.result)
                == "1 other line skipped for a, last: \"372 a\", "
                + "2 bytes without a line ending for a: \"37\"")
    }

    @Test func unterminatedLineIsNotAccepted() throws {
        let cut: @Sendable (String, ConnectionID) -> [ServerEffect] = { _, client in
            [.send(client, "421 a FOO :x"), .close(client)]
        }
        for arrow in ["<-", "<~"] {
            let result = try run("operators a\na -> FOO\na \(arrow) 421\n", effects: cut)
            #expect(result?.diagnostic?.code == "run.unterminated", "\(failure(result))")
            #expect(message(result).contains("connection ended before the line was complete"))
            #expect(label(result).contains("\"421 a FOO :x\" without a line ending"))
        }
        let quoted = try run("operators a\na -> FOO\na <- \"421 a FOO :x\"\n", effects: cut)
        #expect(quoted?.diagnostic?.code == "run.unterminated")
        let any = try run("operators a\na -> FOO\nany order {\na <- 421\n}\n", effects: cut)
        #expect(any?.diagnostic?.code == "run.unterminated")
        let maybe = try run("operators a\na -> FOO\na <? 421\na closed\n", effects: cut)
        #expect(maybe?.outcome == .passed)
        // A forbidden line must not arrive even in part.
        let never = try run("operators a\na -> FOO\nwait 1s\na <! 421\n", effects: cut)
        #expect(never?.diagnostic?.code == "run.unwanted-line")
        let answered = try run(
            "operators a\non <- 421  reply -> BAR\na -> FOO\na closed\n", effects: cut)
        #expect(answered?.transcript.contains { $0.kind == .sent && $0.role == .standing } == false)
    }

    // MARK: Any order

    private let anyOrder = """
        operators a, b
        a -> FOO
        b connect
        any order {
            a <- JOIN {{...}}
            a <- MODE {{...}}
            b <~ PART x
        }

        """

    @Test func anyOrderListsTheMissingLines() throws {
        let result = try run(anyOrder) { _ in "JOIN x\r\n" }
        #expect(
            message(result)
                == "expected these lines in any order within 5 s, but they did not arrive: "
                + "a <- MODE {{...}}, b <~ PART x"
        )
        #expect(label(result) == "nothing arrived for a and b, last send on line 2")
    }

    @Test func anyOrderReportsALineThatMatchesNothing() throws {
        let result = try run(anyOrder) { _ in "JOIN x\r\nTOPIC y\r\n" }
        #expect(result?.diagnostic?.code == "run.mismatch")
        // One line of a is still expected, two in total.
        #expect(
            message(result)
                == "TOPIC (topic changed) for a matches none of the lines still expected (any order)"
        )
        #expect(label(result).hasPrefix("received \"TOPIC y\""))
        #expect(
            result?.diagnostic?.notes.map(\.text).contains(
                "still expected: a <- MODE {{...}}, b <~ PART x") == true)
    }

    @Test func anyOrderReportsTheClosestPattern() throws {
        let text = "operators a\na -> FOO\nany order {\na <- X 1\na <- Y 2\n}\n"
        let result = try run(text) { _ in "Y 3\r\n" }
        #expect(
            message(result).hasPrefix(
                "the line for a matches none of the lines still expected; closest: "))
        #expect(message(result).contains("expected \"2\" as field 1 of Y, got \"3\""))
    }

    @Test func closeDuringAnyOrderListsTheMissingLines() throws {
        let result = try run(anyOrder) { _, client in
            [.send(client, "JOIN x\r\n"), .close(client)]
        }
        #expect(result?.diagnostic?.code == "run.closed")
        #expect(message(result).hasSuffix("in any order: a <- MODE {{...}}, b <~ PART x"))
    }

    // MARK: Retries

    @Test func eventuallyReportsTimeAttemptsAndLastFailure() throws {
        let text = "operators a\neventually within 300ms {\n    a -> FOO\n    a <- 999\n}\n"
        let result = try run(text) { _ in "421 a FOO\r\n" }
        #expect(
            message(result).hasPrefix(
                "the `eventually` block did not pass within 300 ms (3 attempts); "
                    + "last failure: expected 999, got 421"), "\(failure(result))")
        #expect(result?.line == 4)
        #expect(result?.diagnostic?.related.map(\.label).contains("in this block") == true)
    }

    @Test func eventuallyThatTimesOutInTheFirstAttemptReportsTheWait() throws {
        let text = "operators a\neventually within 300ms {\n    a <- 999  within 5s\n}\n"
        let result = try run(text) { _ in "" }
        #expect(
            message(result).hasPrefix(
                "the `eventually` block did not pass within 300 ms (1 attempt); "
                    + "last failure: expected 999 within"), "\(failure(result))")
    }

    @Test func nameThatStaysTakenIsReported() throws {
        let text =
            "operators a\nset nick = \"al{{nonce}}\"\na connect\nname {{nick}} free  within 2s\n"
        let result = try run(text) { line in
            line.hasPrefix("NICK") ? ":srv 433 * x :Nickname is already in use\r\n" : ""
        }
        #expect(message(result).hasPrefix("the name al"), "\(failure(result))")
        #expect(message(result).contains(" did not become free within 2 s ("))
        #expect(message(result).contains("the server refused it with 433"))
        #expect(result?.line == 4)
    }

    @Test func outerBlockIsRetriedAfterTheInnerOneTimesOut() throws {
        let text = """
            operators a
            eventually within 3s {
                a -> FOO
                eventually within 200ms {
                    a <- YES  within 10s
                }
            }

            """
        let count = Counter()
        let result = try run(text) { _ in count.next() < 3 ? "" : "YES\r\n" }
        #expect(result?.outcome == .passed, "\(failure(result))")
    }

    // MARK: Standing replies

    @Test func standingReplyThatCannotBeRenderedFails() throws {
        let text = "operators a\non <- ASK {{x}}  reply -> TOLD {{x:int}}\na -> FOO\na <- OK\n"
        let result = try run(text) { _ in "ASK seven\r\nOK\r\n" }
        #expect(result?.diagnostic?.code == "run.wrong-type", "\(failure(result))")
        #expect(
            message(result).hasPrefix(
                "the standing reply cannot be sent: \"seven\" is not of type int"))
        #expect(label(result).hasPrefix("received \"ASK seven\""))
        #expect(result?.line == 2)
    }

    @Test func standingReplyWithoutAValueFails() throws {
        let text =
            "operators a\nset who = \"{{env.NOBODY}}\"\non <- ASK  reply -> TOLD {{who}}\na -> FOO\na <- OK\n"
        let result = try run(text) { _ in "ASK\r\nOK\r\n" }
        #expect(result?.diagnostic?.code == "run.no-value", "\(failure(result))")
    }
}

/// Counts calls, for servers whose answers change.
final class Counter: @unchecked Sendable {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
