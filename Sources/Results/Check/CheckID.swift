/// Stable ID of a check: a rule of the catalogue, with a parameter if the rule has several checks.
package struct CheckID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// ID of the rule, such as `arity.few`.
    package var rule: String
    /// The command or setting that is checked, such as `PRIVMSG`.
    package var parameter: String?

    package init(_ rule: String, _ parameter: String? = nil) {
        self.rule = rule
        self.parameter = parameter
    }

    /// Text form, such as `arity.few:PRIVMSG`.
    package var description: String { parameter.map { "\(rule):\($0)" } ?? rule }

    package static func < (left: Self, right: Self) -> Bool {
        (left.rule, left.parameter ?? "") < (right.rule, right.parameter ?? "")
    }

    /// Parses the text form, as returned by ``description``.
    package init(parsing text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        self.init(parts.first ?? text, parts.count > 1 ? parts[1] : nil)
    }
}
