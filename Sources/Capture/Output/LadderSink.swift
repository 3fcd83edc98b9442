import Diagnostics
package import DialectModel
package import LineProtocol

/// A ladder diagram of conversations: rows of HTML, and the names of the lanes.
package struct Ladder: Sendable {
    /// Table rows with the content of the log. The classes of a row are `c` and the index of the
    /// client's lane, `s` and the index of the server's, its direction, and its marks.
    package var rows: [UInt8] = []
    package var clients: [String] = []
    package var servers: [String] = []
    /// Number of clients that share the last lane; 0 if each has its own.
    package var sharingClients = 0
    package var shown = 0
    /// Number of rows including those that are left out.
    package var total = 0
}

/// A sink that builds a ladder diagram, in which each row of the log is a row of HTML.
///
/// All text is escaped, so that nothing in a capture is markup.
package struct LadderSink: ConversationSink {
    /// Maximum number of rows. Further rows are only counted.
    static let rowsMax = 10_000
    /// Maximum size of the rows in bytes.
    static let bytesMax = 32 << 20
    /// Maximum number of lanes for clients and for servers. Others share the last lane.
    static let (clientsMax, serversMax) = (16, 4)

    /// A row whose lane is not known yet, because the client's name may follow.
    private struct Row {
        /// Number of the connection; 0 for the start of a day.
        var connection: Int
        var server: Int
        /// End of the row's content in `html`.
        var end: Int
    }

    private var log: LogWriter
    private let dialects: [BoundDialect]
    private var dialect = 0
    private var times: TimeWriter
    private let showsDays: Bool
    private var html: [UInt8] = []
    private var rows: [Row] = []
    private var shown = 0
    private var total = 0
    /// The first known name of each connection's operator.
    private var names: [Int: [UInt8]] = [:]
    private var servers: [String] = []
    /// The response times by dialect.
    private var latencies: [Int: ConversationLatencies] = [:]

    /// - Precondition: `dialects` is not empty.
    package init(_ dialects: [BoundDialect], _ options: LogOptions) {
        self.dialects = dialects
        var options = options
        options.columns = nil
        // Colours become elements.
        options.isColoured = true
        log = LogWriter(CollectedText(), dialects.map(\.dialect), options)
        showsDays = options.times == .clock
        times = TimeWriter(options.times)
    }

    package mutating func started(at time: Int64) { times.start(at: time) }

    package mutating func switchDialect(to dialect: Int) {
        self.dialect = dialect
        log.switchDialect(to: dialect)
    }

    package mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        guard admitsRow() else { return }
        let latency = latency(line, message, in: bytes)
        var classes = line.direction == .fromClient ? " out" : " in"
        if line.breaksDialect { classes += " bad" }
        if !line.marks.isEmpty { classes += " part" }
        begin(
            line.connection, classes: classes,
            sign: line.direction == .fromClient ? "→" : "←", line.packet)
        log.buffer.removeAll()
        log.appendText(line, message, in: bytes)
        append(log.buffer.bytes)
        if let latency { html += Array(" <em>\(latency)</em>".utf8) }
        endRow()
    }

    package mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        var words = TextBuffer(capacity: 128)
        log.connections.appendOpening(of: connection, to: &words)
        add(" open out", String(decoding: words.bytes, as: UTF8.self), of: connection, packet)
    }

    package mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        guard let words = log.words(note, direction) else { return }
        var classes = words.isTrouble ? " gap" : ""
        if let direction { classes += direction == .fromClient ? " out" : " in" }
        add(note == .halfClosed ? classes + " half" : classes, words.text, of: connection, packet)
    }

    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        var classes = " end"
        switch end {
        case .reset, .refused, .unanswered:
            classes += connection.resetBy == .fromClient ? " cut out" : " cut in"
        default: break
        }
        add(classes, LogStyle.words(end, connection.resetBy), of: connection, packet)
        for index in latencies.keys { latencies[index]?.ended(connection, end, packet) }
    }

    // MARK: Rows

    private mutating func add(
        _ classes: String, _ words: String, of connection: CapturedConnection, _ packet: PacketInfo
    ) {
        guard admitsRow() else { return }
        begin(connection, classes: " ev" + classes, sign: "·", packet)
        append(Array(words.utf8))
        endRow()
    }

    private mutating func admitsRow() -> Bool {
        total += 1
        guard shown < Self.rowsMax, html.count < Self.bytesMax else { return false }
        shown += 1
        return true
    }

    private mutating func begin(
        _ connection: CapturedConnection, classes: String, sign: String, _ packet: PacketInfo
    ) {
        if showsDays, times.entersDay(packet.time), let day = times.day {
            let date = CalendarDate(days: Int(day))
            let text = "<tr class=\"day\"><td colspan=\"4\">\(date) UTC</td></tr>\n"
            html += Array(text.utf8)
            rows.append(Row(connection: 0, server: 0, end: html.count))
        }
        rows.append(Row(connection: connection.number, server: lane(of: connection), end: 0))
        html += Array("\(classes)\"><td>".utf8)
        log.buffer.removeAll()
        times.append(packet.time, to: &log.buffer)
        append(Array(log.buffer.bytes.drop { $0 == ASCII.space }))
        html += Array("</td><td><i></i></td><td>#\(connection.number) ".utf8)
        log.buffer.removeAll()
        _ = log.connections.appendName(of: connection, to: &log.buffer)
        let name = log.buffer.bytes
        append(name)
        if names[connection.number] == nil, !name.isEmpty {
            // Without the colour before and after it.
            names[connection.number] = Array(name.dropFirst(4).dropLast(4))
        }
        html += Array(" <u>\(sign)</u></td><td>".utf8)
    }

    private mutating func endRow() {
        html += Array("</td></tr>\n".utf8)
        rows[rows.count - 1].end = html.count
    }

    /// Returns the index of the server's lane.
    private mutating func lane(of connection: CapturedConnection) -> Int {
        let text = connection.server.text(log.connections.anonymiser)
        if let index = servers.firstIndex(of: text) { return index }
        if servers.count < Self.serversMax { servers.append(text) }
        return servers.count - 1
    }

    /// Appends text as HTML, with elements in place of colours.
    private mutating func append(_ text: [UInt8]) {
        var element: [UInt8] = []
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "<"): html += Array("&lt;".utf8)
            case UInt8(ascii: ">"): html += Array("&gt;".utf8)
            case UInt8(ascii: "&"): html += Array("&amp;".utf8)
            case 0x1B:
                // All other escape characters are escaped.
                let code = text.dropFirst(index + 2).prefix { $0 != UInt8(ascii: "m") }
                index += code.count + 2
                if code.elementsEqual("0".utf8) {
                    html += Array("</".utf8) + element
                } else {
                    element = Array(Self.element(code).utf8)
                    html += [UInt8(ascii: "<")] + element
                }
                html.append(UInt8(ascii: ">"))
            default: html.append(text[index])
            }
            index += 1
        }
    }

    /// Returns the name of the element for a colour or a font.
    private static func element(_ code: ArraySlice<UInt8>) -> String {
        switch String(decoding: code, as: UTF8.self) {
        case "1": "b"
        case "31": "strong"
        default: "small"
        }
    }

    // MARK: Latencies

    /// Returns the name and the response time of the request that a line answers; nil if it
    /// answers none.
    private mutating func latency(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) -> String? {
        var times =
            latencies[dialect] ?? ConversationLatencies(dialects[dialect]) { TimedCapture($0) }
        let before = Self.last(times).count
        latencies[dialect] = nil
        times.line(line, message, in: bytes)
        defer { latencies[dialect] = times }
        let last = Self.last(times)
        guard line.direction == .fromServer, last.count > before, last.metric > 0 else {
            return nil
        }
        return "\(times.metrics[last.metric].name) \(durationText(last.nanoseconds))"
    }

    private static func last(
        _ times: ConversationLatencies
    ) -> (count: Int, nanoseconds: Int64, metric: Int) {
        (times.receiver as? TimedCapture)?.last ?? (0, 0, 0)
    }

    // MARK: Result

    /// The diagram. Complete once the capture has ended.
    package var ladder: Ladder {
        var ladder = Ladder()
        ladder.servers = servers
        ladder.shown = shown
        ladder.total = total
        var lanes: [[UInt8]: Int] = [:]
        var start = 0
        for row in rows {
            defer { start = row.end }
            guard row.connection > 0 else {
                ladder.rows += html[start..<row.end]
                continue
            }
            let name = names[row.connection] ?? Array("#\(row.connection)".utf8)
            let lane = lanes[name] ?? lanes.count
            lanes[name] = lane
            if ladder.clients.count < min(lanes.count, Self.clientsMax) {
                ladder.clients.append(String(decoding: name, as: UTF8.self))
            }
            let shown = min(lane, Self.clientsMax - 1)
            ladder.rows += Array("<tr class=\"c\(shown) s\(row.server)".utf8)
            ladder.rows += html[start..<row.end]
        }
        if lanes.count > Self.clientsMax {
            ladder.sharingClients = lanes.count - Self.clientsMax + 1
        }
        return ladder
    }
}
