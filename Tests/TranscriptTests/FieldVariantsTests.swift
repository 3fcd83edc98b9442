import Scenario
import Testing

@testable import Transcript

private func text(_ pieces: [ScenarioSpelling.Piece]?) -> String? {
    pieces.map { ScenarioSpelling.wireText($0) }
}

@Test(arguments: [
    (["5", "17"], "{{_:int}}"),
    (["There are 3 users", "There are 12 users"], "There are {{_:int}} users"),
    (["alice!~a@h1", "alice!~a@h22"], "alice!~a@{{_:word}}"),
    (["id=77;", "id=1078;"], "id={{_:int}};"),
    (["one", "two words"], "{{_}}"),
    (["", "x"], "{{_}}"),
    (["abc123", "abc124"], "{{_:word}}"),
    (["a b c", "a x c"], "a {{_:word}} c"),
])
func differingWordsBecomePlaceholders(values: [String], pattern: String) {
    #expect(text(FieldVariants.pieces(values.map { Array($0.utf8) })) == pattern)
}

@Test func equalValuesAreKept() {
    let same = Array("same".utf8)
    #expect(FieldVariants.pieces([same, same, same]) == nil)
}

@Test(arguments: [
    ("Saturday November 21 2026 -- 03:03 UTC", "{{_}}"),
    ("started Sat Nov 21 2026 at 03:03:41 (UTC)", "started {{_}}"),
    ("2026-11-21T03:03:41.123Z", "{{_}}"),
    ("1795230329", "{{_:int}}"),
    ("1795230329143", "{{_:int}}"),
    ("20261121030341", "{{_:int}}"),
    ("idle since 1795230329 seconds", "idle since {{_:int}} seconds"),
])
func datesAndTimesBecomePlaceholders(value: String, pattern: String) {
    let clock = TimestampFinder(startedAt: 1_795_230_000)
    #expect(text(clock.pieces(Array(value.utf8))) == pattern)
}

@Test(arguments: [
    "ratio 3:4", "12345", "May I", "on 21 lines", "127.0.0.1", "a:10", "20201121030341",
    "20261321030341",
])
func otherNumbersAreKept(value: String) {
    #expect(TimestampFinder(startedAt: 1_795_230_000).pieces(Array(value.utf8)) == nil)
}
