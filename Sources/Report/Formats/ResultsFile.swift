import Foundation
package import Results

/// The results file: JSON after the schema `linejudge.run/1`, see `docs/results-schema.md`.
package enum ResultsFile {
    /// The most bytes of a results file that are read.
    package static let bytesMax = 1 << 30

    /// The results as JSON, in lines, members sorted by name, so that equal results give equal bytes.
    package static func text(_ results: RunResults) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(results), as: UTF8.self)
        return harmless(text) + "\n"
    }

    /// Reads what `text(_:)` wrote.
    package static func results(from bytes: [UInt8]) throws -> RunResults {
        try JSONDecoder().decode(RunResults.self, from: Data(bytes))
    }

    /// DEL, the C1 controls and the two line separators, which JSON lets stand as they are, escaped: a
    /// terminal that is shown the file takes no orders from it. They occur inside of strings only.
    static func harmless(_ text: String) -> String {
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
