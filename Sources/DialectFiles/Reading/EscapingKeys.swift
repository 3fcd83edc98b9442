import LineProtocol

/// Keys allowed in an `escaping:` section, which contains either a single rule or a rule for each
/// position.
enum EscapingKeys {
    static let lettersMax = 256

    static let escape = Key(
        "escape", "Byte that starts a two-byte escape sequence", .byte,
        needs: "letters")
    static let letters = Key(
        "letters", "With `escape`: the byte that each letter represents",
        .entries(.init(.byte, keys: .bytes, max: lettersMax)), needs: "escape")
    static let unknown = ValueKey(
        "unknown", "With `escape`: how the escape byte is read before any other letter",
        .words(
            ["letter": EscapeTable.Unknown.letter, "verbatim": .verbatim, "error": .error],
            open: .letter), default: .letter)
    static let lone = ValueKey(
        "lone", "With `escape`: how the escape byte is read at the end of a value",
        .words(
            ["drop": EscapeTable.Lone.drop, "verbatim": .verbatim, "error": .error],
            open: .drop), default: .drop)
    static let percent = Key(
        "percent",
        "Bytes that are written as `%HH`, in addition to `%`, separators and terminators",
        .list(of: .byte, max: lettersMax))
    static let doubling = ValueKey("doubling", "Byte that is escaped by doubling it", .byte)
    static let forbidden = Key(
        "forbidden", "Bytes that can never be sent", .list(of: .byte, max: lettersMax))
    static let exempt = Key(
        "exempt", "Wire names of commands that are sent unescaped",
        .list(of: .text(bytesMax: 64), max: lettersMax))

    /// Format of an escaping rule given as one word: true for `quotes`, false for `none`.
    static let isQuotes = ValueFormat<Bool>.words(["none": false, "quotes": true])

    static let ruleTable = KeyTable(
        "escaping-rule", [escape, letters, unknown, lone, percent, doubling, forbidden, exempt])
    static let positionsTable = KeyTable("escaping-positions", positions + [forbidden, exempt])
    static let positionNames = positions.map(\.name)

    static let shape = ValueShape.any([
        isQuotes.shape, .map(KeyTable("escaping", keys: ruleTable.keys + sides)),
        .map(KeyTable("escaping-by-position", keys: positionsTable.keys + sides)),
    ])

    static let client = Key("client", "Escaping of lines from clients", sideShape)
    static let server = Key("server", "Escaping of lines from servers", sideShape)
    private static let sides = [client, server]
    private static let sideShape = ValueShape.any([
        isQuotes.shape, .map(ruleTable), .map(positionsTable),
    ])

    private static let rule = ValueShape.any([isQuotes.shape, .map(ruleTable)])
    private static let positions = [
        Key("field", "Escaping rule for fields", rule),
        Key(
            "trailing", "Escaping rule for the trailing field; by default the rule for `field`",
            rule),
        Key("tag", "Escaping rule for tag values; by default the rule for `field`", rule),
        Key("key", "Escaping rule for field names; by default the rule for `value`", rule),
        Key(
            "value", "Escaping rule for values of named fields; by default the rule for `field`",
            rule),
    ]
}
