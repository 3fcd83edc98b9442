import Foundation

/// Words and phrases that should not occur in prose, with what to write instead.
struct MarkedWords: Sendable {
    /// Marked words in a text.
    struct Hit: Hashable, CustomStringConvertible {
        var line: Int
        var found: String
        var instead: String

        var description: String { "\(line): instead of \"\(found)\" write: \(instead)" }
    }

    private let entries: [(expression: NSRegularExpression, instead: String)]

    init(_ entries: [(words: String, instead: String)]) {
        // `GlossaryTests` finds invalid expressions.
        self.entries = entries.compactMap { words, instead in
            let expression = try? NSRegularExpression(
                pattern: #"\b(?:"# + words + #")\b"#, options: .caseInsensitive)
            return expression.map { ($0, instead) }
        }
    }

    /// Returns the marked words in lines of prose. Code spans are ignored.
    func hits(in lines: [(number: Int, line: String)]) -> [Hit] {
        let prose = lines.map { line in
            line.line.contains("`")
                ? line.line.replacing(/``[^`]*``|`[^`]*`/, with: "`") : line.line
        }
        let text = prose.joined(separator: "\n") as NSString
        var hits: [Hit] = []
        for (expression, instead) in entries {
            let whole = NSRange(location: 0, length: text.length)
            for match in expression.matches(in: text as String, range: whole) {
                let before = text.substring(to: match.range.location)
                let index = before.utf8.count { $0 == UInt8(ascii: "\n") }
                let found = text.substring(with: match.range)
                hits.append(Hit(line: lines[index].number, found: found, instead: instead))
            }
        }
        return hits
    }

    /// Words that mark translated English, and private metaphors.
    static let translated: [(words: String, instead: String)] = [
        (#"tells?|told|telling"#, "report, show, print"),
        (#"anew"#, "again"),
        (#"stands? (?:in|beside|by|behind|between|there)"#, "is in"),
        (#"so (?:many|long)(?! as)"#, "a number, a duration"),
        (#"beside"#, "next to, along with"),
        (#"blanks?"#, "space"),
        (#"nobody|somebody|anybody|everybody"#, "no client, another client, all clients"),
        (#"what (?:is|was) said"#, "messages"),
        (#"held against"#, "compared with"),
        (#"(?:came|comes?|becomes?) of"#, "outcome of"),
        (#"under way"#, "in progress, in flight"),
        (#"once more"#, "again"),
        (#"hears?|heard"#, "receives"),
        (#"pass(?:ed|es) over"#, "skips"),
        (#"(?:to be|is|are|was|were) (?:told|said|had)"#, "reported, printed"),
        (#"at hand"#, "available"),
        (#"amounts? to"#, "is"),
        (#"whatever it was"#, "any"),
        (#"(?:it|this|that|which|what|who) is no (?!longer)"#, "is not"),
    ]
}
