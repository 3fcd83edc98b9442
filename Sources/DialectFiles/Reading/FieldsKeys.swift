import LineProtocol

/// Keys allowed in a dialect's `fields:` section.
enum FieldsKeys {
    /// Maximum number of different separators, such as space and tab.
    static let separatorsMax = 2
    static let fieldsMax = 1_000

    static let separator = Key(
        "separator", "Bytes that separate fields; the first one is used for sending",
        .list(of: .byte, max: separatorsMax), fallback: .text("space"))
    static let runs = ValueKey(
        "runs", "Whether consecutive separators count as one", .flag, default: false)
    static let verb = Key(
        "verb", "Position of the command", .any([verbWords.shape, .map(verbTable)]),
        fallback: .text("first"))
    static let verbBytes = ValueKey(
        "bytes", "Command length in bytes; the first field follows directly",
        .number(1...16), missing: "add the number of bytes")
    static let verbCase = ValueKey(
        "verb-case", "Whether commands are case-sensitive",
        .words(["exact": FieldSyntax.VerbCase.exact, "insensitive": .insensitive]),
        default: .exact)
    static let source = ValueKey(
        "source", "Byte that starts a source before the command (IRC's `:`)", .byte)
    static let tags = Key(
        "tags", "Byte that starts the tags at the beginning of a line",
        .any([.byte, .map(TagKeys.table)]))
    static let trailing = ValueKey(
        "trailing",
        "Byte that starts the last field, which takes the rest of the line; requires `runs`",
        .byte)
    static let keyValue = Key(
        "key-value", "Byte between a field's name and value",
        .any([.byte, .map(KeyValueKeys.table)]))
    static let argumentsAreKeyed = ValueKey(
        "arguments",
        "How to find arguments without a position: by their order, or as `key=value` fields",
        .words(["by-order": false, "by-name": true]), default: false)
    static let max = ValueKey(
        "max", "Maximum number of fields; the last takes the rest of the line",
        .number(1...fieldsMax), default: fieldsMax)
    static let quotes = ValueKey(
        "quotes", "Whether a field may be in double quotes, with `\\xHH` inside", .flag,
        default: false)
    static let json = Key(
        "json", "Key that holds the command, if lines are JSON objects",
        .any([.text(bytesMax: Setting.nameBytesMax), .map(JSONKeys.table)]))

    static let resp = ValueKey(
        "resp", "Whether messages are RESP values (the Redis protocol)", .flag, default: false)

    static let client = Key("client", "Settings for lines from clients", .map(sideTable))
    static let server = Key("server", "Settings for lines from servers", .map(sideTable))

    static let table = KeyTable("fields", side + [resp, client, server])
    static let sideTable = KeyTable("fields-side", side)
    private static let side: [any SettingKey] = [
        separator, runs, verb, verbCase, source, tags, trailing, keyValue, argumentsAreKeyed, max,
        quotes, json,
    ]
    /// The keys that can be combined with `json`.
    static let withJSON = [json.name, verbCase.key.name, client.name, server.name]
    /// The keys that can be combined with `resp`.
    static let withRESP = [resp.key.name, verbCase.key.name]
    static let verbTable = KeyTable("verb", [verbBytes])

    static let verbWords = ValueFormat<FieldSyntax.VerbPosition>.words([
        "first": .first, "first-unless-key-value": .firstUnlessKeyValue, "none": .none,
    ])
}

/// Keys allowed in the `tags:` setting of `fields:`.
enum TagKeys {
    static let marker = ValueKey("marker", "Byte before the tags", .byte, default: ASCII.at)
    static let separator = ValueKey(
        "separator", "Byte between tags", .byte, default: ASCII.semicolon)
    static let assignment = ValueKey(
        "assignment", "Byte between a tag's name and value", .byte,
        default: ASCII.equals)

    static let table = KeyTable("tags", [marker, separator, assignment])
}

/// Keys allowed in the `key-value:` setting of `fields:`.
enum KeyValueKeys {
    static let assignment = ValueKey(
        "assignment", "Byte between name and value", .byte, default: ASCII.equals)
    static let options = ValueKey(
        "options", "Byte that starts an option without a value", .byte)
    static let rows = ValueKey("rows", "Byte that separates rows", .byte)
    static let firstWins = ValueKey(
        "duplicates", "Which value to use if a field occurs more than once",
        .words(["first": true, "last": false]), default: true)

    static let table = KeyTable("key-value", [assignment, options, rows, firstWins])
}

/// Keys allowed in the `json:` setting of `fields:`.
enum JSONKeys {
    static let command = Key(
        "command", "Path of the value that names the command",
        .text(bytesMax: Setting.nameBytesMax), fallback: .text("type"))
    static let form = ValueKey(
        "form",
        "Part of the object that contains the command's name: the value of a key, the only key, or JSON-RPC's `method`",
        .words(["by-key": Form.key, "only-key": .onlyKey, "json-rpc": .rpc]), default: .key)
    static let firstWins = ValueKey(
        "duplicates", "Which value to use if a key occurs more than once",
        .words(["first": true, "last": false]), default: false)

    static let table = KeyTable("json", [command, form, firstWins])

    /// Part of a JSON object that contains the command's name.
    enum Form {
        case key, onlyKey, rpc
    }
}
