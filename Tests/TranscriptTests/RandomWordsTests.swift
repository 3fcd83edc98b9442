import Testing

@testable import Transcript

struct RandomWordsTests {
    @Test(arguments: [
        ("1432904b-4ed9-4c1e-9a0d-abcdefabcdef", [0..<36]),
        ("<1432904B-4ED9-4C1E-9A0D-012345678901@host>", [1..<37]),
        ("x1432904b-4ed9-4c1e-9a0d-abcdefabcdef", []),
        ("1432904b-4ed9-4c1e-9a0d-abcdefabcdef0", []),
        ("1432904b-4ed9-4c1e-9a0d-abcdefabcdeg", []), ("1432904b-4ed9-4c1e-9a0d0abcdefabcdef", []),
        ("", []),
    ])
    func findsUUIDs(_ text: String, _ ranges: [Range<Int>]) {
        #expect(RandomWords.uuids(in: Array(text.utf8)[...]) == ranges)
    }

    @Test(arguments: [
        ("a1b2c3d4e5f6", true), ("a1b2c3d4e5f", false), ("123456789012", false),
        ("abcdefghijk12", false),
    ])
    func longMixesOfLettersAndDigitsAreRandom(_ word: String, _ isRandom: Bool) {
        #expect(RandomWords.isRandom(Array(word.utf8)) == isRandom)
    }
}
