/// The stable name of a check: a row of the catalogue, and its subject where the row has several.
package struct CheckID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The row: `arity.few`.
    package var row: String
    /// What of the dialect it is about: `PRIVMSG`.
    package var subject: String?

    /// A name from its parts.
    package init(_ row: String, _ subject: String? = nil) {
        self.row = row
        self.subject = subject
    }

    /// `arity.few:PRIVMSG`
    package var description: String { subject.map { "\(row):\($0)" } ?? row }

    /// In the order of the alphabet.
    package static func < (left: Self, right: Self) -> Bool {
        (left.row, left.subject ?? "") < (right.row, right.subject ?? "")
    }

    /// The name in the form of ``description``.
    package init(parsing text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        self.init(parts.first ?? text, parts.count > 1 ? parts[1] : nil)
    }
}
