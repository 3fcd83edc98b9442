import Diagnostics
package import LineProtocol

/// A sink that builds a table of connections: the operator, the endpoints, the amount of data, how
/// each connection ended, and network problems revealed by its segments.
package struct ConnectionsSink: ConversationSink {
    /// Maximum number of connections in the table. Other connections are only counted.
    static let rowsMax = 100_000

    /// A row of the connection table.
    private struct Row {
        /// The connection; nil once it has ended.
        var connection: CapturedConnection?
        var clientLines = 0
        var serverLines = 0
        var end: ConnectionEnd?
        var cells: [String] = []
    }

    private let anonymiser: Anonymiser?
    private var rows: [Int: Row] = [:]
    /// Number of connections omitted from the table.
    private var omitted = 0

    package init(_ anonymiser: Anonymiser?) { self.anonymiser = anonymiser }

    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        add(line.connection)
        if line.direction == .fromClient {
            rows[line.connection.number]?.clientLines += 1
        } else {
            rows[line.connection.number]?.serverLines += 1
        }
        refresh(line.connection)
    }

    package mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        refresh(connection)
    }

    /// Updates the row of a connection that has ended. Lines and gaps may follow a reset.
    private mutating func refresh(_ connection: CapturedConnection) {
        guard let row = rows[connection.number], row.connection == nil else { return }
        let cells = cells(connection, row, row.end)
        rows[connection.number]?.cells = cells
    }

    package mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        add(connection)
    }

    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        add(connection)
        guard var row = rows[connection.number] else { return }
        row.cells = cells(connection, row, end)
        row.end = end
        row.connection = nil
        rows[connection.number] = row
    }

    package mutating func finish() {
        for number in Array(rows.keys) {
            guard let row = rows[number], let connection = row.connection else { continue }
            let cells = cells(connection, row, nil)
            rows[number]?.cells = cells
        }
    }

    private mutating func add(_ connection: CapturedConnection) {
        guard rows[connection.number] == nil else { return }
        if rows.count < Self.rowsMax {
            rows[connection.number] = Row(connection: connection)
        } else if !connection.isOmitted {
            connection.isOmitted = true
            omitted += 1
        }
    }

    // MARK: Text

    /// The table, ordered by connection number.
    package var text: String {
        let header = [
            "#", "operator", "client", "server", "lines →", "lines ←", "bytes →", "bytes ←",
            "seconds", "RTT ms", "retransmitted", "zero windows", "gaps", "missing bytes",
            "end",
        ]
        let body = rows.sorted { $0.key < $1.key }.map(\.value.cells)
        let rest = omitted > 0 ? "and \(omitted) more\n" : ""
        return TextTable.text([header] + body, words: [1, 2, 3, 14]) + rest
    }

    private func cells(
        _ connection: CapturedConnection, _ row: Row, _ end: ConnectionEnd?
    ) -> [String] {
        var name = TextBuffer(capacity: 64)
        let known = connection.operatorName
        let shown = anonymiser.map { $0.name(known) } ?? known
        name.append(escaped: shown.span, .log)
        let figures = connection.figures
        let hasTime =
            connection.first.time != CaptureRecord.timeUnknown
            && connection.lastTime != CaptureRecord.timeUnknown
        return [
            String(connection.number), String(decoding: name.bytes, as: UTF8.self),
            connection.client.text(anonymiser), connection.server.text(anonymiser),
            String(row.clientLines), String(row.serverLines), String(connection.fromClient.offset),
            String(connection.fromServer.offset),
            hasTime
                ? Self.text(connection.lastTime &- connection.first.time, in: 1_000_000_000) : "–",
            figures.roundTrip.map { Self.text($0, in: 1_000_000) } ?? "–",
            String(figures.retransmissions), String(figures.zeroWindows),
            String(figures.gaps), String(figures.missingBytes), Self.words(end, connection),
        ]
    }

    /// Formats a time in units of the given number of nanoseconds.
    private static func text(_ nanoseconds: Int64, in unit: Int64) -> String {
        decimal(max(0, nanoseconds), per: unit, digits: 3)
    }

    private static func words(_ end: ConnectionEnd?, _ connection: CapturedConnection) -> String {
        let side = connection.closedBy.map { $0 == .fromClient ? "client" : "server" }
        switch end {
        case .closed: return side.map { "closed by the \($0)" } ?? "closed"
        case .captureEnd, nil: return side.map { "half-closed by the \($0)" } ?? "open"
        case .replaced: return "replaced"
        case .forgotten: return "dropped"
        case .reset, .refused, .unanswered:
            return end.map { LogStyle.words($0, connection.resetBy) } ?? ""
        }
    }
}
