import LineProtocol
import RegularExpressions

/// Cached results of rules' regular expressions. Evaluating an expression costs more than all other
/// work per line, and the inputs repeat.
///
/// This is a class so that results can be added while the rules and the message are borrowed.
final class ExpressionVerdicts {
    /// Maximum number of results. When it is exceeded, the oldest is dropped.
    static let verdictsMax = 64
    /// Maximum length of an input to be cached, in bytes.
    static let bytesMax = 256

    private struct Verdict: Sendable {
        var rule: Int
        /// Index of the expression in the rule; -1 for the command's expression.
        var expression: Int
        var bytes: [UInt8]
        var matches: Bool
    }

    private var verdicts: [Verdict] = []
    private var oldest = 0

    /// Returns true if an expression matches an entire part of a line.
    func matches(
        _ expression: RegularExpression, _ rule: Int, _ number: Int, _ part: Span<UInt8>
    ) -> Bool {
        for index in verdicts.indices
        where verdicts[index].rule == rule && verdicts[index].expression == number
            && isSame(verdicts[index].bytes, part)
        {
            return verdicts[index].matches
        }
        let bytes = part.array(0..<part.count)
        let matches = expression.matches(bytes)
        if bytes.count <= Self.bytesMax {
            add(Verdict(rule: rule, expression: number, bytes: bytes, matches: matches))
        }
        return matches
    }

    private func add(_ verdict: Verdict) {
        if verdicts.count < Self.verdictsMax {
            verdicts.append(verdict)
        } else {
            verdicts[oldest] = verdict
            oldest = (oldest + 1) % Self.verdictsMax
        }
    }

    private func isSame(_ bytes: [UInt8], _ part: Span<UInt8>) -> Bool {
        guard bytes.count == part.count else { return false }
        for offset in bytes.indices where bytes[offset] != part[offset] { return false }
        return true
    }
}
