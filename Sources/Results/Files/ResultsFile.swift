import Diagnostics
import FoundationEssentials

/// A writer for results files. The files are JSON with one of the schemas `linejudge.run/2`,
/// `linejudge.check/2`, `linejudge.check-matrix/2` and `linejudge.load/2`, which are documented in
/// `docs/results-schema.md`.
package enum ResultsFile {
    /// Maximum size of a results file, in bytes.
    package static let bytesMax = 1 << 30

    /// Returns a file name for messages. `-` means standard input.
    package static func name(_ path: String) -> String {
        path == "-" ? "standard input" : "`\(escapedForDisplay(path))`"
    }

    /// Returns a value as indented JSON. Keys are sorted, so equal values result in identical
    /// bytes.
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return terminalSafe(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
    }

    /// Returns a value as JSON on a single line.
    package static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return terminalSafe(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
    }

    /// Escapes DEL, C1 control characters and the two Unicode line separators. JSON allows these
    /// characters only inside strings, where they could affect a terminal.
    private static func terminalSafe(_ text: String) -> String {
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
