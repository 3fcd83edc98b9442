import Testing

@testable import DialectModel

struct TextDifferenceTests {
    @Test(arguments: [
        ("worlt", "world", "they differ at character 5: expected \"t\", got \"d\""),
        ("für", "für!", "expected the text to end at character 4, got \"!\""),
        ("für!", "für", "the received text ends before character 4: expected \"!\""),
        ("aä", "aö", "they differ at character 2: expected \"ä\", got \"ö\""),
        ("a b", "a\tb", "they differ at character 2: expected \" \", got \"\\t\""),
    ])
    func theFirstDifferenceIsCountedFromOne(wanted: String, got: String, expected: String) {
        #expect(TextDifference(Array(wanted.utf8), Array(got.utf8)).sentence == expected)
    }

    @Test func bytesThatAreNoTextAreCountedAsBytes() {
        let sentence = TextDifference([0xFF, 0xFE, 0x61], [0xFF, 0xFE, 0xC0]).sentence
        #expect(
            sentence == "they differ at byte 3: expected \"a\", got \"\\xc0\"")
    }

    @Test(arguments: [("x", "y"), ("", "y"), ("x", ""), ("ä", "ö")])
    func whatDiffersFromTheBeginningNeedsNoWords(wanted: String, got: String) {
        #expect(TextDifference(Array(wanted.utf8), Array(got.utf8)).sentence == nil)
    }
}
