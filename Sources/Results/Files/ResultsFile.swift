import Foundation

/// Results files: JSON after the schemas `linejudge.run/1`, `linejudge.check/1`,
/// `linejudge.check-matrix/1` and `linejudge.load/1`, see `docs/results-schema.md`.
package enum ResultsFile {
    /// The most bytes of a results file that are read.
    package static let bytesMax = 1 << 30

    /// A value as JSON, in lines, members sorted by name, so that equal values give equal bytes.
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return harmless(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
    }

    /// A value as JSON in one line.
    package static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return harmless(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
    }

    /// Reads what ``text(_:)`` wrote.
    package static func results<Results: Decodable>(
        _ kind: Results.Type = Results.self, from bytes: [UInt8]
    ) throws -> Results {
        try JSONDecoder().decode(Results.self, from: Data(bytes))
    }

    /// DEL, the C1 controls and the two line separators, which JSON lets stand as they are, escaped: a
    /// terminal that is shown the file takes no orders from it. They occur inside of strings only.
    private static func harmless(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                out.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}
