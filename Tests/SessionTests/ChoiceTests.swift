import Diagnostics
import Results
import Session
import Testing

/// `one of` blocks, sums, Base64, and lists in any order.
struct ChoiceTests {
    private static let choice = """
        operators a, b
        a -> FOO
        one of {
            a <- 409 {{...}}
        } or {
            a <- 461 {{word}} {{...}}
            a <- NEXT {{word}}
        } or {
            a closed by fin
        }
        a -> BAR

        """

    /// The answer to FOO, and the lines that the scenario sends.
    @Test(arguments: [
        ("409 a :no\r\n", ["FOO", "BAR"]), ("461 x :no\r\nNEXT x\r\n", ["FOO", "BAR"]),
    ])
    func theBlockWhoseFirstStepIsMetRuns(answer: String, sent: [String]) throws {
        let result = try run(Self.choice) { $0 == "FOO" ? answer : "" }
        #expect(result?.outcome == .passed, "\(failure(result))")
        let lines = result?.transcript.filter { $0.kind == .sent }.map(\.bytes) ?? []
        #expect(lines == sent.map { Array($0.utf8) })
    }

    @Test func theOtherStepsOfTheBlockMustBeMet() throws {
        let result = try run(Self.choice) { $0 == "FOO" ? "461 x :no\r\nNEXT y\r\n" : "" }
        #expect(result?.diagnostic?.code == "run.mismatch")
        #expect(result?.line == 7)
    }

    @Test func aCloseIsAnOutcome() throws {
        let text = Self.choice.replacing("a -> BAR", with: "b -> BAR")
        let result = try run(text) { line, client in
            line == "FOO" ? [.send(client, "ERROR :bye\r\n"), .close(client)] : []
        }
        #expect(result?.outcome == .passed, "\(failure(result))")
        let reset = try run(text.replacing("by fin", with: "by reset")) { line, client in
            line == "FOO" ? [.close(client)] : []
        }
        #expect(reset?.diagnostic?.code == "run.wrong-close")
    }

    private static let lines = """
        operators a, b
        a -> FOO
        one of {
            a <- 409 {{...}}
        } or {
            b <~ 461 {{...}}  within 2s
        }

        """

    @Test func aLineThatStartsNoBlockFails() throws {
        let result = try run(Self.lines) { $0 == "FOO" ? "TOPIC y\r\n" : "" }
        #expect(result?.diagnostic?.code == "run.mismatch")
        #expect(
            result?.diagnostic?.message
                == "TOPIC (topic changed) for a does not match the first step of any block")
        #expect(
            result?.diagnostic?.notes.map(\.text).contains(
                "expected one of: a <- 409 {{...}}, b <~ 461 {{...}}") == true)
    }

    @Test func theLongestTimeApplies() throws {
        let result = try run(Self.lines) { _ in "" }
        #expect(result?.diagnostic?.code == "run.timeout")
        #expect(
            result?.diagnostic?.message
                == "expected one of these within 5 s: a <- 409 {{...}}, b <~ 461 {{...}}")
    }

    @Test func anUnexpectedCloseFails() throws {
        let text = "operators a\na -> FOO\none of {\na <- 1\n} or {\na <- 2\n}\n"
        let result = try run(text) { _, client in [.close(client)] }
        #expect(result?.diagnostic?.code == "run.closed", "\(failure(result))")
    }

    @Test func capturesOfABlockAreNotVisibleAfterIt() throws {
        let text = "operators a\none of {\na <- 1 {{x}}\n} or {\na closed\n}\na -> {{x}}\n"
        let error = #expect(throws: Diagnosed.self) { try compiled(text) }
        #expect(error?.diagnostics.first?.code == "scenario.unbound-variable")
    }

    // MARK: Computed values

    /// The answer to COUNT, and whether the pattern `COUNT {{x + y - 1}}` accepts it, for 2 and 3.
    @Test(arguments: [("4", true), ("5", false), ("04", false), ("", false)])
    func sumsAreCompared(answer: String, isEqual: Bool) throws {
        let text = """
            operators a
            a -> FOO
            a <- FOO {{x:int}} {{y:int}}
            a -> COUNT {{x + y - 1}}
            a <- COUNT {{x + y - 1}}

            """
        let result = try run(text) { $0 == "FOO" ? "FOO 2 3\r\n" : "COUNT \(answer)\r\n" }
        #expect(result?.transcript.contains { $0.bytes == Array("COUNT 4".utf8) } == true)
        #expect((result?.outcome == .passed) == isEqual, "\(failure(result))")
    }

    @Test func sumsNeedNumbers() throws {
        let text = "operators a\nset x = \"two\"\na -> COUNT {{x + 1}}\n"
        #expect(try run(text) { _ in "" }?.diagnostic?.code == "run.wrong-type")
        let most = "operators a\nset x = \"9223372036854775807\"\na -> COUNT {{x + 1}}\n"
        let result = try run(most) { _ in "" }
        #expect(result?.diagnostic?.message == "the sum does not fit in 64 bits")
        let error = #expect(throws: Diagnosed.self) { try compiled("a <- COUNT {{x + 1}}\n") }
        #expect(error?.diagnostics.first?.message == "`{{x}}` is not defined at this point")
    }

    /// RFC 4648 §10, and a login.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func textsAreEncoded(text: String, encoded: String) throws {
        let scenario = """
            operators a
            set x = "\(text)"
            a -> AUTHENTICATE {{base64 "\\0{{x}}"}}:{{base64 "{{x}}"}}
            a <- GOT {{base64 "{{x}}"}}

            """
        let result = try run(scenario) { line in
            line.hasSuffix(":" + encoded) ? "GOT :\(encoded)\r\n" : "GOT wrong\r\n"
        }
        #expect(result?.outcome == .passed, "\(failure(result))")
    }

    // MARK: Lists

    /// The received names, and the one that the placeholder captures; nil if they do not match.
    @Test(arguments: [
        ("@a b c", "c"), ("c @a b", "c"), ("@a b b", "b"), ("b c", nil), ("@a b c d", nil),
        ("@a c c", nil),
    ])
    func listsMayBeInAnyOrder(names: String, other: String?) throws {
        let text = """
            operators a
            a -> NAMES
            a <- namesReply(names: any order ["{{other}}", "b", "@a"])
            a -> {{other}}

            """
        let result = try run(text) { $0 == "NAMES" ? "353 a = #c :\(names)\r\n" : "" }
        #expect((result?.outcome == .passed) == (other != nil), "\(failure(result))")
        let sent = result?.transcript.filter { $0.kind == .sent }.map(\.bytes) ?? []
        #expect(sent.dropFirst().map { $0 } == (other.map { [Array($0.utf8)] } ?? []))
    }
}
