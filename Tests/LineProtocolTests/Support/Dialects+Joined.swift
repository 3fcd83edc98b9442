@testable import LineProtocol

/// Dialects whose last argument is the rest of the line.
extension Dialects {
    static let joined = joined("joined")
    /// Several separators in a row count as one.
    static let joinedRuns = joined("joined-runs", separator: ASCII.space, runs: true)
    /// Values are escaped, but separators have no escape.
    static let joinedEscapes = joined(
        "joined-escapes",
        escaping: table(ASCII.backslash, ["\\": ASCII.backslash, "n": ASCII.lf]))
    /// The last field extends to the end of the line.
    static let joinedFew = joined("joined-few", fieldsMax: 4)

    private static func joined(
        _ name: String, separator: UInt8 = UInt8(ascii: "|"), runs: Bool = false,
        escaping: EscapeRule? = nil, fieldsMax: Int = 1_000
    ) -> Dialect {
        let side = Framing.Side(terminator: .lf, accepted: [.lf])
        return Dialect(
            name: name, framing: Framing(fromClient: side, fromServer: side),
            syntax: FieldSyntax(
                separators: [separator], separatorRuns: runs, fieldsMax: fieldsMax),
            escaping: Escaping(
                field: escaping ?? .none(forbidden: [ASCII.lf, separator]),
                trailing: escaping ?? .none(forbidden: [ASCII.lf])),
            tolerance: Tolerance(tooMany: .joinLast),
            commands: CommandTable([
                command("three", "T", .both, [text("a"), text("b"), text("c")]),
                command("optional", "O", .both, [text("a", presence: .optional), text("b")]),
            ]))
    }
}
