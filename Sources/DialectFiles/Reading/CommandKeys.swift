import LineProtocol

/// Keys allowed in an entry of a dialect's `commands:` section.
enum CommandKeys {
    static let argumentsMax = 64
    static let wireBytesMax = 64
    static let blockTriggersMax = 64

    static let wire = Key(
        "wire", "The command as it appears on the wire; by default the entry's name",
        .text(bytesMax: wireBytesMax))
    static let digits = Key(
        "digits",
        "Instead of `wire`: matches any command that consists of this many digits (`any`: any number of digits) and has no entry of its own",
        .any([.number(1...9), .words(["any"])]))
    static let prefix = Key(
        "prefix", "Instead of `wire`: matches any command with this prefix",
        .text(bytesMax: wireBytesMax))
    static let verbless = Key(
        "verbless", "Instead of `wire`: `true` matches lines without a command", .flag)
    static let from = ValueKey(
        "from", "The side that sends the command",
        .words(["client": CommandDirection.client, "server": .server, "both": .both]),
        missing: "add the sender: `client`, `server` or `both`")
    static let summary = ValueKey(
        "summary", "One-sentence description", .text(bytesMax: 400), default: "")
    static let arguments = Key(
        "arguments", "Arguments in order", .list(of: ArgumentKeys.shape, max: argumentsMax))
    static let blockAfter = Key(
        "block-after",
        "The block follows only after these commands from the other side, such as `retr` or `list without arguments`",
        .list(of: .text(bytesMax: 128), max: blockTriggersMax))
    static let lineAfter = Key(
        "line-after",
        "Instead of `wire`: the whole line that the client sends after one of these commands from the server, such as the answer to a SASL challenge",
        .list(of: .text(bytesMax: 128), max: blockTriggersMax))
    static let tolerance = Key(
        "tolerance", "How to handle too few, too many and invalid arguments",
        .map(ToleranceKeys.table))
    static let clause = Key(
        "clause", "Id of the clause that defines the command", .text(bytesMax: 64))

    static let table = KeyTable(
        "command",
        [
            wire, digits, prefix, verbless, lineAfter, from, summary, arguments, blockAfter,
            tolerance, clause,
        ])
}

/// Keys allowed in the long form of an argument.
enum ArgumentKeys {
    static let name = ValueKey(
        "name", "Name of the argument", .name("a valid argument name"),
        missing: "write `name: …, type: …`")
    static let type = Key(
        "type", "Type, such as `int` or `list of text by semicolon`",
        .text(bytesMax: Setting.textBytesMax),
        missing: "types: \(listed(TypeReader.names))")
    static let isOptional = ValueKey("optional", "Whether the argument may be omitted", .flag)
    static let isVariadic = ValueKey(
        "variadic", "Whether the argument takes all remaining fields", .flag)
    static let defaultValue = Key("default", "Value of the argument if it is omitted", .scalar)
    static let position = Key(
        "in", "Position, such as `tag` or `key cid`; by default the next field",
        .text(bytesMax: Setting.textBytesMax))
    static let isSecret = ValueKey("secret", "Whether the value is masked in all output", .flag)

    static let table = KeyTable(
        "argument", [name, type, isOptional, isVariadic, defaultValue, position, isSecret])

    /// The compact form `name: TYPE`, or the long form.
    static let shape = ValueShape.any([
        .entries(
            .init(
                .pattern(
                    "^[ \\n]*(secret[ \\n]+(if[ \\n]+[^ \\n]+[ \\n]+has[ \\n]+[^ \\n]+[ \\n]+|to[ \\n]+[^ \\n]+[ \\n]+|(sasl|services)[ \\n]+)?)?(\(TypeReader.words.joined(separator: "|")))([ \\n?.]|$)",
                    example: "int = 0"), min: 1, max: 1)),
        .map(table),
    ])
}

/// Keys allowed in a `tolerance:` section.
enum ToleranceKeys {
    static let tooFew = ValueKey(
        "too-few",
        "`fill` reads missing arguments as empty, 0 or false; `reject` refuses the command",
        .words(["fill": Tolerance.TooFew.fill, "reject": .reject], open: .open), default: .fill)
    static let tooMany = ValueKey(
        "too-many",
        "`ignore` drops extra fields, `join-last` appends them to the last argument, `reject` refuses the command",
        .words(
            ["ignore": Tolerance.TooMany.ignore, "join-last": .joinLast, "reject": .reject],
            open: .open), default: .ignore)
    static let mismatch = ValueKey(
        "mismatch",
        "`zero` reads a value of the wrong type as empty, 0 or false; `reject` refuses the command",
        .words(["zero": Tolerance.Mismatch.zero, "reject": .reject], open: .open), default: .zero)

    static let table = KeyTable("tolerance", [tooFew, tooMany, mismatch])
}
