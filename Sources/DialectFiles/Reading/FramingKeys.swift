import LineProtocol

/// Keys allowed in a dialect's `framing:` section.
enum FramingKeys {
    static let terminator = Key(
        "terminator", "Terminator to send", terminatorShape,
        fallback: .text(Framing.Side().terminator.name))
    static let accept = Key(
        "accept", "Accepted terminators, including the one that is sent",
        .list(of: terminatorShape, max: FramingReader.terminatorsMax))
    static let limits = Key("limits", "Size limits", .map(LimitKeys.table))
    static let overflow = ValueKey(
        "overflow", "What the receiver does with an overlong line",
        .words(
            [
                "truncate": Framing.Overflow.truncate, "reject": .reject, "discard": .discard,
                "close": .close,
            ], open: .open), inherited: .open)
    static let emptyLines = ValueKey(
        "empty-lines", "Whether an empty line is a message",
        .words(["ignore": Framing.EmptyLines.ignore, "message": .message], open: .ignore),
        default: .ignore)
    static let payloadIsTerminated = ValueKey(
        "payload-end", "What follows a counted payload; not included in its length",
        .words(["terminator": true, "none": false]), default: true)
    static let lengthPrefix = Key(
        "length-prefix", "Frames with a length prefix instead of lines",
        .map(LengthPrefixKeys.table))
    static let headerFrames = Key(
        "header-frames",
        "A command line and headers up to an empty line, then a body up to NUL (STOMP)",
        .map(headerFrameTable))
    static let lengthHeader = ValueKey(
        "length", "Header that holds the body length", .text(bytesMax: 64),
        default: "content-length")
    static let grouping = Key(
        "grouping", "How lines are grouped into answers",
        .any([.words(["none"]), .map(GroupingKeys.table)]), fallback: .text("none"))
    static let greeting = ValueKey(
        "greeting", "Whether the server sends a line when a client connects", .flag,
        default: false)
    static let telnet = ValueKey(
        "telnet", "Whether telnet commands are removed and IAC is doubled (RFC 854)", .flag,
        default: false)
    static let client = Key("client", "Settings for lines from clients", .map(sideTable))
    static let server = Key("server", "Settings for lines from servers", .map(sideTable))

    static let table = KeyTable(
        "framing",
        [
            terminator, accept, limits, overflow, emptyLines, payloadIsTerminated, lengthPrefix,
            headerFrames, grouping, greeting, telnet, client, server,
        ])
    static let sideTable = KeyTable("framing-side", [terminator, accept, limits, overflow])
    /// The keys that can be combined with `fields.resp`.
    static let withRESP = [
        limits.name, overflow.key.name, emptyLines.key.name, client.name, server.name,
    ]
    static let headerFrameTable = KeyTable("header-frames", [lengthHeader])

    /// The terminators that have a name.
    static let terminators: [Terminator] = [.lf, .crlf, .cr, .nul, .lfcr, .crnul]

    private static let terminatorShape = ValueShape.any([
        .words(terminators.map(\.name)), .number(0...255),
        .pattern(
            "^("
                + terminators.map { ByteName.ignoringCase($0.name) }.joined(separator: "|")
                + "|0[xX].+)$", example: "0x0D 0x0A"),
    ])
}

/// Keys allowed in a `limits:` section.
enum LimitKeys {
    /// The largest limit that can be set. It is also the maximum number of bytes that a framer
    /// keeps per line.
    private static let limitMax = 1 << 30

    static let line = ValueKey(
        "line", "Maximum bytes in a line", .number(2...limitMax),
        inherited: Framing.Limits().lineBytesMax)
    static let tags = ValueKey(
        "tags",
        "Maximum bytes in the tags before a line, including their marker and the space after them; 0 if they count as part of the line",
        .number(0...limitMax), inherited: Framing.Limits().tagBytesMax)
    static let payload = ValueKey(
        "payload", "Maximum bytes in a payload or block", .number(0...limitMax),
        inherited: Framing.Limits().payloadBytesMax)
    static let countsTerminator = ValueKey(
        "counts-terminator", "Whether `line` includes the terminator", .flag,
        inherited: Framing.Limits().countsTerminator)

    static let table = KeyTable("limits", [line, tags, payload, countsTerminator])
}

/// Keys allowed in the `length-prefix:` setting of `framing:`.
enum LengthPrefixKeys {
    static let bytes = ValueKey(
        "bytes", "Width of the length prefix in bytes: 1, 2 or 4", .number(1...4), default: 1)
    static let countsItself = ValueKey(
        "counts-itself", "Whether the length includes its own bytes", .flag, default: false)
    static let dropsNUL = ValueKey(
        "drops-nul", "Whether a final NUL is removed from the frame", .flag, default: false)

    static let table = KeyTable("length-prefix", [bytes, countsItself, dropsNUL])
}

/// Keys allowed in the `grouping:` setting of `framing:`.
enum GroupingKeys {
    static let closing = ValueKey(
        "closing", "Command in the last line of an answer", .text(bytesMax: 64))
    static let asynchronous = ValueKey(
        "asynchronous", "Prefix of lines that are not part of an answer", .text(bytesMax: 64),
        default: "")
    static let mark = Key("mark", "Byte that shows that more lines follow", .byte)
    static let after = ValueKey(
        "after", "Number of bytes before `mark`", .number(1...16), default: 3)

    static let table = KeyTable("grouping", [closing, asynchronous, mark, after])
}
