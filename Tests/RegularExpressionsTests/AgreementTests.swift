import Testing

@testable import RegularExpressions

/// A comparison of matches with those of the standard library's engine, on random expressions.
struct AgreementTests {
    @Test func agreesWithTheStandardLibrary() throws {
        var random = Generator(state: 7)
        var compared = 0
        var matched = 0
        for _ in 0..<2_000 {
            let source = Self.expression(depth: 3, &random)
            guard let theirs = try? Regex(source) else { continue }
            let ours = try RegularExpression(source)
            for _ in 0..<8 {
                let text = (0..<Int.random(in: 0...6, using: &random))
                    .map { _ in Self.letters.randomElement(using: &random) ?? "a" }.joined()
                let expected = try theirs.wholeMatch(in: text) != nil
                #expect(ours.matches(Array(text.utf8)) == expected, "/\(source)/ on \"\(text)\"")
                compared += 1
                if expected { matched += 1 }
            }
        }
        #expect(compared > 10_000)
        #expect(matched > compared / 20)
    }

    private static let letters = ["a", "b", "A", "1", " ", "_", "é"]

    private static let atoms = [
        "a", "b", "é", "1", ".", "\\d", "\\w", "\\s", "\\S", "[ab]", "[^a]", "[a-z1]", "[\\d_]",
    ]

    private static func expression(depth: Int, _ random: inout Generator) -> String {
        let atom = atoms.randomElement(using: &random) ?? "a"
        guard depth > 0 else { return atom }
        let inner = { (random: inout Generator) in expression(depth: depth - 1, &random) }
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return atom
        case 1: return inner(&random) + "|" + inner(&random)
        case 2: return "(" + inner(&random) + ")" + "*"
        case 3: return "(?:" + inner(&random) + ")" + "+"
        case 4: return "(" + inner(&random) + ")?"
        case 5: return "(" + inner(&random) + "){1,2}"
        case 6: return "(?i:" + inner(&random) + ")"
        default: return inner(&random) + inner(&random)
        }
    }
}

private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
