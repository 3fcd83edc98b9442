import Diagnostics
import Testing

struct DiagnosticRendererTests {
    /// A diagnostic at the first occurrence of a word in a text.
    private func diagnostic(
        _ text: String, _ word: String, label: String = "", severity: Severity = .error
    ) -> Diagnostic {
        let source = SourceText(path: "a.chat", text: text)
        return Diagnostic(
            severity, "test.code", "something is wrong",
            at: DiagnosticLocation(source: source, range: range(of: word, in: text), label: label))
    }

    private func range(of word: String, in text: String) -> SourceRange {
        let bytes = Array(text.utf8)
        let wanted = Array(word.utf8)
        let start = bytes.indices.first { bytes[$0...].starts(with: wanted) } ?? bytes.count
        return SourceRange(start: start, end: start + wanted.count)
    }

    private func text(_ diagnostic: Diagnostic) -> String {
        DiagnosticRenderer().text(diagnostic)
    }

    @Test func aFailureShowsWhatAPersonNeedsAndNothingElse() {
        let lines = Array(repeating: "x", count: 16) + ["bob   <- 433 {{...}}     within 2s"]
        var found = diagnostic(
            lines.joined(separator: "\n"), "433",
            label: "received \":irc.local 001 ALICE :Welcome\" 3.1 ms after the send on line 16")
        found.notes = [DiagnosticNote(.cite, "RFC 2812 §3.1.2 (must)")]
        #expect(
            text(found) == """
                error: something is wrong
                   --> a.chat:17:10
                17 | bob   <- 433 {{...}}     within 2s
                   |          ^^^ received ":irc.local 001 ALICE :Welcome" 3.1 ms after the send on line 16
                   = cite: RFC 2812 §3.1.2 (must)

                """)
    }

    @Test func relatedLocationsAndNotesFollowInOrder() {
        let source = "operators alice\n\n\n\n\n\n\n\n\nalcie -> x\n"
        let found = diagnostic(source, "alcie", severity: .warning)
            .help("did you mean `alice`?\nor another name?").note("a note")
        let location = DiagnosticLocation(
            source: SourceText(path: "b.chat", text: source),
            range: range(of: "alice", in: source), label: "declared here")
        #expect(
            text(found.related(location)) == """
                warning: something is wrong
                   --> a.chat:10:1
                10 | alcie -> x
                   | ^^^^^
                   --> b.chat:1:11
                 1 | operators alice
                   |           ----- declared here
                   = help: did you mean `alice`?
                     or another name?
                   = note: a note

                """)
    }

    @Test func aDiagnosticWithoutALocationHasNoExcerpt() {
        let found = Diagnostic(.note, "test.code", "nothing to see").help("go on")
        #expect(text(found) == "note: nothing to see\n = help: go on\n")
    }

    @Test(arguments: [
        ("\tabc", "abc", 5, 4, 3), ("a\tbc", "bc", 3, 4, 2), ("日本 x", "x", 4, 5, 1),
        ("x 日本", "日本", 3, 2, 4), ("e\u{301}x", "x", 2, 1, 1), ("\u{1}x", "x", 2, 4, 1),
        ("👍🏽x", "x", 2, 2, 1), ("☺️x", "x", 2, 2, 1), ("ab", "b", 2, 1, 1),
    ])
    func caretsStandUnderWhatIsMeant(
        _ line: String, _ word: String, _ column: Int, _ indent: Int, _ width: Int
    ) {
        let lines = text(diagnostic(line, word)).split(separator: "\n")
        if line.hasPrefix("\t") || line.contains("\t") {
            #expect(lines[1].hasSuffix("a.chat:1:2") || lines[1].hasSuffix("a.chat:1:3"))
        } else {
            #expect(lines[1].hasSuffix("a.chat:1:\(column)"))
        }
        let marks = String(repeating: " ", count: indent) + String(repeating: "^", count: width)
        #expect(lines[3] == "  | " + marks)
    }

    @Test func anEmptyRangeHasOneCaretAlsoBehindTheEnd() {
        let source = SourceText(path: "a", text: "alice ->\nx")
        let location = DiagnosticLocation(source: source, range: SourceRange(start: 8, end: 8))
        let lines = text(Diagnostic(.error, "c", "m", at: location)).split(separator: "\n")
        #expect(lines[1] == "  --> a:1:9")
        #expect(lines[3] == "  |         ^")
    }

    @Test func aRangeOverLinesIsMarkedToTheEndOfItsFirst() {
        let found = diagnostic("repeat 2 {\n  x\n}\n", "repeat 2 {\n  x\n}")
        #expect(text(found).split(separator: "\n").last == "  | ^^^^^^^^^^")
    }

    @Test func aLocationOutsideTheTextIsClamped() {
        let source = SourceText(path: "a", text: "ab")
        let location = DiagnosticLocation(source: source, range: SourceRange(start: 90, end: 99))
        #expect(text(Diagnostic(.error, "c", "m", at: location)).contains("a:1:3"))
    }

    @Test(arguments: [0, 40, 5_000, 9_000])
    func aLongLineIsCutAroundTheCarets(_ before: Int) {
        let line =
            String(repeating: "a", count: before) + "WORD" + String(repeating: "b", count: 9_000)
        let lines = text(diagnostic(line, "WORD")).split(separator: "\n").map(Array.init)
        #expect(lines[2].count <= 110)
        let carets = lines[3].indices.filter { lines[3][$0] == "^" }
        #expect(carets.map { lines[2][$0] } == ["W", "O", "R", "D"])
        #expect(lines[2].last == "…")
        #expect((lines[2][4] == "…") == (before > 50))
    }

    @Test func aMarkWiderThanTheWindowIsCut() {
        let word = String(repeating: "w", count: 500)
        let lines = text(diagnostic("xx" + word, word)).split(separator: "\n")
        #expect(lines[3].count <= 106)
    }

    @Test func coloursAreUsedOnlyWhenAskedFor() {
        let found = diagnostic("abc", "b", label: "here").help("x")
        #expect(!text(found).contains("\u{1B}"))
        let coloured = DiagnosticRenderer(isColoured: true).text(found)
        #expect(coloured.contains("\u{1B}[1;31merror\u{1B}[0m"))
        let plain = coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(plain == text(found))
    }

    @Test func nothingInItCanGiveATerminalOrders() {
        let evil = "\u{1B}]0;x\u{7}\u{202E}\u{9B}31m\r"
        let source = SourceText(path: evil, text: evil + "\n")
        let location = DiagnosticLocation(
            source: source, range: SourceRange(start: 0, end: 1), label: evil)
        let found = Diagnostic(.error, "c", evil, at: location).help(evil).related(location)
        for scalar in text(found).unicodeScalars where scalar != "\n" {
            #expect(scalar.properties.generalCategory != .control)
            #expect(scalar.properties.generalCategory != .format)
        }
    }

    @Test func severalAreParted() {
        let found = Diagnostic(.error, "c", "m")
        #expect(DiagnosticRenderer().text([found, found]) == "error: m\n\nerror: m\n")
        #expect(DiagnosticRenderer().text([]) == "")
    }
}
