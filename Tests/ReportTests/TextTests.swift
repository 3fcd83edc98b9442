import Diagnostics
import Report
import Testing

struct DurationTextTests {
    @Test(arguments: [
        (0, "0 µs"), (412_000, "412 µs"), (999_499, "999 µs"), (999_500, "1.0 ms"),
        (3_140_000, "3.1 ms"), (9_949_999, "9.9 ms"), (9_950_000, "10 ms"),
        (128_400_000, "128 ms"), (999_499_999, "999 ms"), (999_500_000, "1.00 s"),
        (1_235_000_000, "1.24 s"), (12_340_000_000, "12.3 s"), (59_949_999_999, "59.9 s"),
        (59_950_000_000, "1 min 0 s"), (125_000_000_000, "2 min 5 s"),
        (3_725_000_000_000, "1 h 2 min"), (-5, "0 µs"),
    ])
    func formatsDurationInReadableUnit(_ nanoseconds: Int64, _ text: String) {
        #expect(durationText(nanoseconds) == text)
    }
}

struct ColumnTextTests {
    @Test(arguments: [
        ("abc", 5, "abc"), ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"), ("abc", 0, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
    func truncatesAtTheEnd(_ text: String, _ columns: Int, _ cut: String) {
        #expect(ColumnText.cutEnd(text, to: columns) == cut)
        #expect(ColumnText.width(ColumnText.cutEnd(text, to: columns)) <= columns)
    }

    @Test(arguments: [
        ("a/b/c.chat", 20, "a/b/c.chat"), ("a/b/c.chat", 7, "…c.chat"), ("日本語", 5, "…本語"),
    ])
    func truncatesPathAtTheStart(_ text: String, _ columns: Int, _ cut: String) {
        #expect(ColumnText.cutStart(text, to: columns) == cut)
    }

    @Test(arguments: [
        ("one two three", 80, ["one two three"]), ("one two three", 7, ["one two", "three"]),
        ("one two three", 6, ["one", "two", "three"]), ("abcdefgh ij", 4, ["abcd", "efgh", "ij"]),
        ("", 4, [""]), ("日本 語", 5, ["日本", "語"]),
    ])
    func wrapsBetweenWords(_ text: String, _ columns: Int, _ lines: [String]) {
        #expect(ColumnText.lines(text, columns: columns) == lines)
    }

    @Test func padsByColumnsNotCharacters() {
        #expect(ColumnText.padded("日本", to: 6) == "日本  ")
        #expect(ColumnText.rightAligned("日本", to: 6) == "  日本")
        #expect(ColumnText.padded("long", to: 2) == "long")
    }

    @Test func splitsLongTextBetweenCharacters() {
        #expect(ColumnText.pieces("abcdefg", columns: 3) == ["abc", "def", "g"])
        #expect(ColumnText.pieces("日本語", columns: 5) == ["日本", "語"])
        #expect(ColumnText.pieces("", columns: 5) == [""])
    }
}

struct ColourModeTests {
    @Test(
        arguments: [
            (ColourMode.auto, [:], true, true),
            (.auto, [:], false, false),
            (.auto, ["TERM": "dumb"], true, false),
            (.auto, ["NO_COLOR": "1"], true, false),
            (.auto, ["NO_COLOR": ""], true, true),
            (.auto, ["FORCE_COLOR": "1"], false, true),
            (.auto, ["FORCE_COLOR": "0"], true, false),
            (.auto, ["NO_COLOR": "1", "FORCE_COLOR": "1"], true, false),
            (.always, ["NO_COLOR": "1"], false, true),
            (.never, ["FORCE_COLOR": "1"], true, false),
        ] as [(ColourMode, [String: String], Bool, Bool)])
    func optionOverridesEnvironmentWhichOverridesTerminal(
        _ mode: ColourMode, _ environment: [String: String], _ isTerminal: Bool, _ expected: Bool
    ) {
        #expect(mode.usesColour(environment: environment, isTerminal: isTerminal) == expected)
    }
}
