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
    private let acceptsAnyLine: Bool
    private let hasSources: Bool

    init(_ dialect: Dialect) {
        acceptsAnyLine = dialect.acceptsAnyLine
        hasSources = dialect.syntax.fromServer.sourceMarker != nil
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

    /// True if both sides have sent lines.
    var hasBothSides: Bool { client.lines > 0 && server.lines > 0 }

    /// Adds the counts of other lines.
    mutating func add(_ other: DialectFit) {
        client.add(other.client)
        server.add(other.server)
    }

    mutating func count(
        _ message: Message, isBroken: Bool, from direction: Direction, in bytes: Span<UInt8>
    ) {
        let isKnown = !isBroken && provesDialect(message, direction, bytes)
        if direction == .fromClient {
            client.lines += 1
            if isKnown { client.known += 1 }
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

extension Dialect {
    /// True if the dialect accepts any line, because it has a command without a name. A valid line
    /// then proves nothing.
    var acceptsAnyLine: Bool { commands.signatures.contains { $0.wire == .none } }

    /// True if the dialect has only commands without a name, so that lines are plain text.
    var isPlainText: Bool { commands.signatures.allSatisfy { $0.wire == .none } }
}
