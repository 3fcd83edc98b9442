/// A writer that writes messages and problems as JSON Lines, one object per message or problem, and
/// the counts at the end.
package struct DeliveriesJSON: DeliveryReceiver {
    private static let bufferedBytesMax = 1 << 16

    package private(set) var target: any TextSink
    private var buffer = TextBuffer(capacity: 1 << 12)
    private var times = TimeWriter(.full)
    private let files: [String]

    package init(_ target: some TextSink, files: [String]) {
        self.target = target
        self.files = files.count > 1 ? files : []
    }

    package mutating func take(_ report: MessageReport) {
        begin("message", report.packet, report.connection, name: report.sender)
        append("target", report.target)
        append("text", report.text)
        append("members", report.members)
        append("reached", report.reached)
        if report.missingCount > 0 {
            append("missing", report.missingCount)
            buffer.append(",\"missingOperators\":[")
            for (index, name) in report.missing.enumerated() {
                if index > 0 { buffer.append(",") }
                buffer.append(json: name.span)
            }
            buffer.append("]")
        }
        if report.unknown > 0 { append("unknown", report.unknown) }
        if report.others > 0 { append("others", report.others) }
        if report.perhapsMembers > 0 { append("perhapsMembers", report.perhapsMembers) }
        if report.isRefused { buffer.append(",\"refused\":true") }
        if !report.findings.isEmpty {
            buffer.append(",\"problems\":[")
            for (index, finding) in report.findings.enumerated() {
                buffer.append(index > 0 ? ",{" : "{")
                appendKind(finding)
                appendLocation(finding.packet, finding.connection, finding.operatorName)
                append(finding)
                buffer.append("}")
            }
            buffer.append("]")
        }
        end()
    }

    package mutating func take(_ finding: DeliveryFinding) {
        begin("problem", finding.packet, finding.connection, name: finding.operatorName)
        buffer.append(",")
        appendKind(finding)
        append(finding)
        if !finding.target.isEmpty { append("target", finding.target) }
        end()
    }

    private mutating func appendKind(_ finding: DeliveryFinding) {
        buffer.append("\"problem\":\"")
        buffer.append(text: finding.kind.rawValue)
        buffer.append("\"")
    }

    private mutating func append(_ finding: DeliveryFinding) {
        switch finding.kind {
        case .altered: append("received", finding.text)
        case .outOfOrder, .differentOrder: append("after", finding.other)
        case .wrongSender: append("sender", finding.other)
        case .unsent:
            append("text", finding.text)
            append("sender", finding.other)
        case .unanswered, .answeredTwice: append("token", finding.text)
        case .notEntered: append("target", finding.target)
        case .missing, .duplicate, .leaked: break
        }
    }

    private mutating func begin(
        _ event: StaticString, _ packet: PacketInfo, _ connection: Int, name: [UInt8]
    ) {
        buffer.append("{\"event\":\"")
        buffer.append(event)
        buffer.append("\"")
        appendLocation(packet, connection, name)
    }

    private mutating func appendLocation(
        _ packet: PacketInfo, _ connection: Int, _ name: [UInt8]
    ) {
        if packet.time != CaptureRecord.timeUnknown {
            buffer.append(",\"time\":\"")
            times.append(packet.time, to: &buffer)
            buffer.append("\"")
        }
        append("packet", packet.number)
        if files.indices.contains(packet.file) { append("file", Array(files[packet.file].utf8)) }
        append("connection", connection)
        if !name.isEmpty { append("operator", name) }
    }

    private mutating func append(_ key: StaticString, _ text: [UInt8]) {
        appendKey(key)
        let isWhole = text.count < SentMessage.textBytesMax
        buffer.append(
            json: (isWhole ? text : MessageReport.shortened(text, text.count - 1)).span)
    }

    private mutating func append(_ key: StaticString, _ number: Int) {
        appendKey(key)
        buffer.append(decimal: Int64(number))
    }

    private mutating func appendKey(_ key: StaticString) {
        buffer.append(",\"")
        buffer.append(key)
        buffer.append("\":")
    }

    private mutating func end() {
        buffer.append("}\n")
        if buffer.count >= Self.bufferedBytesMax { flush() }
    }

    package mutating func flush() { buffer.flush(to: &target) }

    package mutating func finish(_ counts: DeliveryCounts) {
        buffer.append("{\"event\":\"summary\"")
        append("messages", counts.messages)
        append("due", counts.due)
        append("received", counts.received)
        append("unknown", counts.unknown)
        append("others", counts.others)
        append("refused", counts.refused)
        append("fromOutside", counts.fromOutside)
        append("cut", counts.cut)
        append("notTracked", counts.dropped)
        append("answeredProbes", counts.answers)
        buffer.append(",\"problems\":{")
        for (index, kind) in DeliveryFinding.Kind.allCases.enumerated() {
            buffer.append(index > 0 ? ",\"" : "\"")
            buffer.append(text: kind.rawValue)
            buffer.append("\":")
            buffer.append(decimal: Int64(counts[kind]))
        }
        buffer.append("}")
        end()
        flush()
    }
}
