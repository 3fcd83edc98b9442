/// Stable ID of a check: a rule of the catalogue, with a parameter if the rule has several.
package struct CheckID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// ID of the rule: `arity.few`.
    package var row: String
    /// The command or setting that is checked: `PRIVMSG`.
    package var subject: String?

    package init(_ row: String, _ subject: String? = nil) {
        self.row = row
        self.subject = subject
    }

    /// The text form: `arity.few:PRIVMSG`.
    package var description: String { subject.map { "\(row):\($0)" } ?? row }

    package static func < (left: Self, right: Self) -> Bool {
        (left.row, left.subject ?? "") < (right.row, right.subject ?? "")
    }

    /// Parses the form written by ``description``.
    package init(parsing text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        self.init(parts.first ?? text, parts.count > 1 ? parts[1] : nil)
    }
}
