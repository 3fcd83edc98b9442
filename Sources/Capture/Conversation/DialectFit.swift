import LineProtocol

/// A measure of how well lines match a dialect: each side's number of lines, and how many of them
/// are valid.
package struct DialectFit: Sendable {
    /// Minimum percentage of all lines that must be valid for a dialect to match.
    static let percentMin = 60
    /// Minimum percentage of each side's lines that must be valid for a dialect to match.
    static let sidePercentMin = 50

    /// Line counts for one side: all lines, and the lines that are valid in the dialect.
    package struct Side: Sendable {
        var known = 0
        var lines = 0

        mutating func add(_ other: Side) {
            known += other.known
            lines += other.lines
        }

        var fits: Bool { lines == 0 || known * 100 >= lines * DialectFit.sidePercentMin }
    }

    private(set) var client = Side()
    private(set) var server = Side()
    /// The client commands seen so far, as a set of indices modulo 64.
    private var clientCommands: UInt64 = 0
    private let acceptsAnyLine: Bool
    private let hasSources: Bool
    /// True if the client's commands are arrays of strings.
    private let isRESP: Bool
    /// True if answers consist of a number and text, as in several protocols.
    private let answersWithNumbers: Bool

    init(_ dialect: Dialect) {
        acceptsAnyLine = dialect.acceptsAnyLine
        hasSources = dialect.syntax.fromServer.sourceMarker != nil
        isRESP = dialect.syntax.fromClient.resp
        answersWithNumbers =
            !hasSources
            && dialect.commands.signatures.contains {
                if case .digits = $0.wire { $0.direction.allows(.fromServer) } else { false }
            }
    }

    /// Number of lines that are valid in the dialect.
    package var known: Int { client.known + server.known }
    package var lines: Int { client.lines + server.lines }
    /// Percentage of lines that are valid; 0 if the dialect does not match.
    var percent: Int {
        guard known > 0, client.fits, server.fits, known * 100 >= lines * Self.percentMin else {
            return 0
        }
        return known * 100 / lines
    }

    /// True if the lines hardly fit another protocol. Answers that are just a number and text, or
    /// start with a punctuation mark, prove nothing without the client's commands.
    var isDistinct: Bool {
        if isRESP { return client.known > 0 }
        return !answersWithNumbers || clientCommands.nonzeroBitCount > 1
    }

    /// True if both sides have sent lines.
    var hasBothSides: Bool { client.lines > 0 && server.lines > 0 }

    /// Adds the counts of other lines.
    mutating func add(_ other: DialectFit) {
        client.add(other.client)
        server.add(other.server)
        clientCommands |= other.clientCommands
    }

    mutating func count(
        _ message: Message, isBroken: Bool, from direction: Direction, in bytes: Span<UInt8>
    ) {
        let isKnown =
            isBroken
            ? hasForm(of: message, direction, bytes) : provesDialect(message, direction, bytes)
        if direction == .fromClient {
            client.lines += 1
            if isKnown { client.known += 1 }
            if !isBroken, let command = message.command {
                clientCommands |= 1 << UInt64(command & 63)
            }
        } else {
            server.lines += 1
            if isKnown { server.known += 1 }
        }
    }

    /// Returns whether a valid line suggests that the dialect is the right one.
    private func provesDialect(
        _ message: Message, _ direction: Direction, _ bytes: Span<UInt8>
    ) -> Bool {
        let verb = message.split.verb
        guard message.command != nil, !(acceptsAnyLine && verb.isEmpty) else { return false }
        guard hasSources else { return true }
        // If a dialect has source prefixes, only servers send them, and numeric replies always have
        // one. A numeric reply without a source may belong to another protocol.
        let hasSource = message.split.source != nil
        return direction == .fromClient
            ? !hasSource : hasSource || !verb.allSatisfy { ASCII.isDigit(bytes[$0]) }
    }
}

extension DialectFit {
    /// Returns whether an unknown command suggests that the dialect is the right one, because of
    /// its form.
    private func hasForm(
        of message: Message, _ direction: Direction, _ bytes: Span<UInt8>
    ) -> Bool {
        isRESP && direction == .fromClient && message.command == nil
            && Self.isCounted(message.split.verb, in: bytes)
    }

    /// Returns whether the length of a RESP string, such as `$4`, comes before it. Without it, the
    /// string is a line of text.
    private static func isCounted(_ string: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        let length = Array("$\(string.count)\r\n".utf8)
        let start = string.lowerBound - length.count
        return start >= 0 && bytes.matches(start..<string.lowerBound, length, ignoringCase: false)
    }
}

extension Dialect {
    /// True if the dialect accepts any line, because it has a command without a name. A valid line
    /// then proves nothing.
    var acceptsAnyLine: Bool { commands.signatures.contains { $0.wire == .none } }

    /// True if the dialect has only commands without a name, so that lines are plain text.
    var isPlainText: Bool { commands.signatures.allSatisfy { $0.wire == .none } }
}
