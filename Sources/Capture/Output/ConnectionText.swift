import LineProtocol

/// What the log says about a connection: its number, the operator's name, and its endpoints.
///
/// This is not a part of ``LogWriter``, because calling a method of the writer with its own buffer
/// would copy the whole writer.
struct ConnectionText {
    /// Minimum width of an operator's name, in columns.
    private static let nameColumnsMin = 10
    private static let nameBytesMax = 24

    /// Anonymiser for names and addresses; nil to leave them unchanged.
    let anonymiser: Anonymiser?
    let look: LogStyle

    /// Builds and caches the text between the time and the message, which is the same for all lines
    /// that a connection sends in one direction.
    @inline(never)
    func cachePrefixes(_ connection: CapturedConnection) {
        var prefix = TextBuffer(capacity: 256)
        append(connection, "→", look.sent, to: &prefix)
        let fromClient = prefix.bytes
        prefix.removeAll()
        append(connection, "←", look.received, to: &prefix)
        connection.record.setPrefixes(fromClient: fromClient, fromServer: prefix.bytes)
    }

    /// Appends the text between the time and the message.
    func append(
        _ connection: CapturedConnection, _ arrow: StaticString, _ colour: StaticString,
        to buffer: inout TextBuffer
    ) {
        var digits = 1
        var bound = 10
        while digits < 18, connection.number >= bound {
            digits += 1
            bound *= 10
        }
        buffer.append(spaces: 2 + max(0, 2 - digits))
        buffer.append("#")
        buffer.append(decimal: Int64(connection.number))
        buffer.append(" ")
        let columns = appendName(of: connection, to: &buffer)
        buffer.append(spaces: Self.nameColumnsMin - columns)
        buffer.append(" ")
        buffer.append(colour)
        buffer.append(arrow)
        buffer.append(look.plain)
        buffer.append(" ")
    }

    /// Appends the operator's name, truncated if necessary, and returns its width in columns.
    func appendName(of connection: CapturedConnection, to buffer: inout TextBuffer) -> Int {
        let known = connection.operatorName
        let name = anonymiser.map { $0.name(known) } ?? known
        guard !name.isEmpty else { return 0 }
        buffer.append(look.name)
        defer { buffer.append(look.plain) }
        let start = buffer.count
        var shown = min(name.count, Self.nameBytesMax)
        // Do not truncate the name in the middle of a character.
        while shown < name.count, shown > Self.nameBytesMax - 3, name[shown] & 0xC0 == 0x80 {
            shown -= 1
        }
        buffer.append(escaped: name.span.extracting(first: shown), .log)
        if name.count > Self.nameBytesMax { buffer.append("…") }
        let count = buffer.count - start
        return name.count <= Self.nameBytesMax && name.allSatisfy { $0 < 0x80 }
            ? count
            : LogWrapping.columns(String(decoding: buffer.bytes(from: start), as: UTF8.self))
    }

    /// Appends the description of a connection that opens.
    func appendOpening(of connection: CapturedConnection, to buffer: inout TextBuffer) {
        if !connection.startWasSeen {
            buffer.append("already open ")
        } else {
            buffer.append(connection.isAccepted ? "opened " : "connecting ")
        }
        buffer.append(connection.client, anonymiser)
        buffer.append(" → ")
        buffer.append(connection.server, anonymiser)
        var separator: StaticString = " in VLAN "
        for vlan in connection.vlans {
            buffer.append(separator)
            buffer.append(decimal: Int64(vlan))
            separator = "."
        }
    }
}
