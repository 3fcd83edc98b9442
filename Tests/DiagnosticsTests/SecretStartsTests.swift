import Testing

@testable import Diagnostics

/// Skipping positions where no secret can begin does not change what is found.
struct SecretStartsTests {
    /// A table with which a search skips nothing.
    private static let everything = {
        var starts = SecretStarts()
        for byte in 0...UInt8.max { starts.add(SecretSpelling([byte])) }
        return starts
    }()

    private func expectSameRanges(_ secrets: [[UInt8]], _ text: [UInt8]) {
        let forms = secrets.flatMap { secret in
            [SecretSpelling(secret)]
                + SecretSpelling.variants(of: secret).map { SecretSpelling($0, isVariant: true) }
        }
        var slow = SecretScanner(forms, Self.everything)
        let expected = slow.ranges(in: text)
        #expect(SecretMask(secrets).ranges(in: text) == expected, "\(secrets) in \(text)")
    }

    /// Texts of few characters, so that parts of secrets are frequent.
    private func text(
        _ secrets: [[UInt8]], _ random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let secret = secrets.randomElement(using: &random) ?? []
            switch Int.random(in: 0..<9, using: &random) {
            case 0: text += secret
            case 1: text += secret.prefix(Int.random(in: 0...secret.count, using: &random))
            case 2: text += secret.suffix(Int.random(in: 0...secret.count, using: &random))
            case 3: text += secret.flatMap { Array("%\(hexadecimal($0))".utf8) }
            case 4: text += secret.flatMap { Array("&#\($0);".utf8) }
            case 5: text += secret.flatMap { [UInt8(ascii: "\\"), $0] }
            case 6: text += secret.flatMap { [$0, 0] }
            case 7: text += secret.flatMap { Array(hexadecimal($0).utf8) }
            default:
                text += (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    Self.alphabet.randomElement(using: &random) ?? 0
                }
            }
        }
        return text
    }

    private static let alphabet = Array("abAB1 %\\&=+\r\n\0é".utf8)

    private func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    @Test(arguments: 0..<40) func randomTextsCutAtEveryByte(_ seed: UInt64) {
        var random = Xorshift(state: seed + 1)
        for _ in 0..<10 {
            let secrets = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                (0..<Int.random(in: 1...14, using: &random)).map { _ in
                    Self.alphabet.randomElement(using: &random) ?? 0
                }
            }
            let text = text(secrets, &random)
            for cut in 0...text.count {
                expectSameRanges(secrets, Array(text[..<cut]))
                expectSameRanges(secrets, Array(text[cut...]))
            }
        }
    }

    @Test func secretsThatOverlap() {
        let secrets = ["aabaab", "abaaba", "baab-aab", "aab"].map { Array($0.utf8) }
        let text = Array("aabaabaabaab-aabaabaab aab,YWFiYWFi,616162616162".utf8)
        for start in text.indices { expectSameRanges(secrets, Array(text[start...])) }
    }
}

/// A generator whose numbers are the same in each run.
private struct Xorshift: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
