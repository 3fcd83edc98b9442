/// Stable ID of a check: a rule from the catalogue and, if the rule has several checks, a
/// parameter.
package struct CheckID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The rule, such as `arity.few`.
    package var rule: String
    /// The command or setting under test, such as `PRIVMSG`; nil if the rule has a single check.
    package var parameter: String?

    package init(_ rule: String, _ parameter: String? = nil) {
        self.rule = rule
        self.parameter = parameter
    }

    /// The ID as text, such as `arity.few:PRIVMSG`.
    package var description: String { parameter.map { "\(rule):\($0)" } ?? rule }

    package static func < (left: Self, right: Self) -> Bool {
        (left.rule, left.parameter ?? "") < (right.rule, right.parameter ?? "")
    }

    /// Returns the current ID if `text` is the earlier ID of a check, otherwise `text`.
    package static func current(_ text: String) -> String { EarlierNames.checkID(text) }

    /// Parses an ID from its ``description``, which may be from an earlier version.
    package init(parsing text: String) {
        let text = Self.current(text)
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        self.init(parts.first ?? text, parts.count > 1 ? parts[1] : nil)
    }
}
