import Testing

@testable import DialectModel

struct TextDifferenceTests {
    @Test(arguments: [
        ("worlt", "world", "they differ from character 5 on: \"t\" was expected, \"d\" came"),
        ("für", "für!", "nothing more was expected from character 4 on, \"!\" came"),
        ("für!", "für", "what came ends before character 4: \"!\" was expected there"),
        ("aä", "aö", "they differ from character 2 on: \"ä\" was expected, \"ö\" came"),
        ("a b", "a\tb", "they differ from character 2 on: \" \" was expected, \"\\t\" came"),
    ])
    func theFirstDifferenceIsToldAsAReaderCounts(wanted: String, got: String, expected: String) {
        #expect(TextDifference(Array(wanted.utf8), Array(got.utf8)).sentence == expected)
    }

    @Test func bytesThatAreNoTextAreCountedAsBytes() {
        let sentence = TextDifference([0xFF, 0xFE, 0x61], [0xFF, 0xFE, 0xC0]).sentence
        #expect(
            sentence == "they differ from byte 3 on: \"a\" was expected, \"\\xc0\" came")
    }

    @Test(arguments: [("x", "y"), ("", "y"), ("x", ""), ("ä", "ö")])
    func whatDiffersFromTheBeginningNeedsNoWords(wanted: String, got: String) {
        #expect(TextDifference(Array(wanted.utf8), Array(got.utf8)).sentence == nil)
    }
}
