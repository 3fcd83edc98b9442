import DialectModel
import LineProtocol

/// What matched the regular expressions of rules, and what did not: to ask one costs more than all else that is done
/// with a line, and what it is asked about is mostly the same.
///
/// A class, so that it can be asked while rules and message are looked at where they are.
final class ExpressionVerdicts {
    /// The most verdicts that are remembered; then the oldest is forgotten.
    static let verdictsMax = 64
    /// What is longer is asked about each time.
    static let bytesMax = 256

    private struct Verdict: Sendable {
        var rule: Int
        /// Which of the rule's expressions; -1 is the one that commands are held against.
        var expression: Int
        var bytes: [UInt8]
        var matches: Bool
    }

    private var verdicts: [Verdict] = []
    private var oldest = 0
    private var regexes = RegexCache()

    /// Whether all of a part matches an expression of a rule.
    func matches(
        _ expression: String, _ rule: Int, _ place: Int, _ part: Span<UInt8>
    ) -> Bool {
        for index in verdicts.indices
        where verdicts[index].rule == rule && verdicts[index].expression == place
            && isSame(verdicts[index].bytes, part)
        {
            return verdicts[index].matches
        }
        let bytes = part.array(0..<part.count)
        let matches = regexes.matches(expression, bytes)
        if bytes.count <= Self.bytesMax {
            add(Verdict(rule: rule, expression: place, bytes: bytes, matches: matches))
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
        for place in bytes.indices where bytes[place] != part[place] { return false }
        return true
    }
}
