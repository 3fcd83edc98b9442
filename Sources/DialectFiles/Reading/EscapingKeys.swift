import LineProtocol

/// Keys of `escaping:`, either for a single rule or for positions with one rule each.
enum EscapingKeys {
    static let lettersMax = 256

    static let escape = Key(
        "escape", "Byte that starts a two-byte escape sequence", .byte,
        needs: "letters")
    static let letters = Key(
        "letters", "With `escape`: the byte that each letter stands for",
        .entries(.init(.byte, keys: .bytes, max: lettersMax)), needs: "escape")
    static let unknown = ValueKey(
        "unknown", "With `escape`: meaning of the escape byte before any other letter",
        .words(
            ["letter": EscapeTable.Unknown.letter, "verbatim": .verbatim, "error": .error],
            open: .letter), default: .letter)
    static let lone = ValueKey(
        "lone", "With `escape`: its meaning at the end of a value",
        .words(
            ["drop": EscapeTable.Lone.drop, "verbatim": .verbatim, "error": .error],
            open: .drop), default: .drop)
    static let percent = Key(
        "percent",
        "Bytes that are written as `%HH`, in addition to `%`, separators and terminators",
        .list(of: .byte, max: lettersMax))
    static let doubling = ValueKey("doubling", "Byte that is written twice", .byte)
    static let forbidden = Key(
        "forbidden", "Bytes that can never be sent", .list(of: .byte, max: lettersMax))
    static let exempt = Key(
        "exempt", "Commands, by wire name, whose lines are not escaped",
        .list(of: .text(bytesMax: 64), max: lettersMax))

    /// The format of a rule that puts values in double quotes or leaves them unescaped.
    static let isQuotes = ValueFormat<Bool>.words(["none": false, "quotes": true])

    static let ruleTable = KeyTable(
        "escaping-rule", [escape, letters, unknown, lone, percent, doubling, forbidden, exempt])
    static let positionsTable = KeyTable("escaping-positions", positions + [forbidden, exempt])
    static let positionNames = positions.map(\.name)

    static let shape = ValueShape.any([
        isQuotes.shape, .map(ruleTable), .map(positionsTable),
    ])

    private static let rule = ValueShape.any([isQuotes.shape, .map(ruleTable)])
    private static let positions = [
        Key("field", "Rule for fields", rule),
        Key("trailing", "Rule for the trailing field; by default that of `field`", rule),
        Key("tag", "Rule for the values of tags; by default that of `field`", rule),
        Key("key", "Rule for the names of fields; by default that of `value`", rule),
        Key("value", "Rule for the values of named fields; by default that of `field`", rule),
    ]
}
