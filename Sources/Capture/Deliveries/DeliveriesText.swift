/// A writer that shows each message, who received it, and the problems with its delivery.
///
/// Everything is escaped, so the text cannot contain terminal control sequences from the capture.
package struct DeliveriesText: DeliveryReceiver {
    private static let bufferedBytesMax = 1 << 16
    private static let textBytesMax = 80

    private var target: any TextSink
    private var buffer = TextBuffer(capacity: 1 << 12)
    private var times: TimeWriter
    private let look: LogStyle
    /// Names of the files by index; empty if there is only one.
    private let files: [String]

    package init(_ target: some TextSink, _ options: LogOptions, files: [String]) {
        self.target = target
        self.files = files
        look = LogStyle(isColoured: options.isColoured)
        times = TimeWriter(options.times)
    }

    package mutating func started(at time: Int64) { times.start(at: time) }

    // MARK: Rows

    package mutating func take(_ report: MessageReport) {
        begin(report.packet, report.connection, report.sender)
        buffer.append(" → ")
        buffer.append(escaped: report.target.span, .log)
        appendQuoted(report.text)
        buffer.append("  ")
        let isWrong = report.missingCount > 0
        if isWrong { buffer.append(look.wrong) }
        buffer.append(text: Self.words(report))
        if isWrong {
            buffer.append(", not ")
            for (index, name) in report.missing.enumerated() {
                if index > 0 { buffer.append(", ") }
                buffer.append(escaped: name.span, .log)
            }
            let rest = report.missingCount - report.missing.count
            if rest > 0 { buffer.append(text: " and \(rest) more") }
            buffer.append(look.plain)
        }
        if report.unknown > 0 { buffer.append(text: ", unknown for \(report.unknown)") }
        if report.members > 0, report.others > 0 {
            buffer.append(text: ", also received by \(Self.counted(report.others, "other"))")
        }
        if report.perhapsMembers > 0 {
            let many = report.perhapsMembers != 1
            buffer.append(
                text: ", \(report.perhapsMembers) connection\(many ? "s" : "") may be "
                    + (many ? "members" : "a member"))
        }
        endRow()
        for finding in report.findings {
            buffer.append("    ")
            append(finding)
            endRow()
        }
    }

    package mutating func take(_ finding: DeliveryFinding) {
        begin(finding.packet, finding.connection, finding.operatorName)
        buffer.append(" ← ")
        append(finding)
        endRow()
    }

    private static func words(_ report: MessageReport) -> String {
        if report.isRefused { return "refused by the server" }
        if report.members == 0 {
            return report.others > 0
                ? "received by \(counted(report.others, "connection"))" : "no known recipient"
        }
        return "reached \(report.reached) of \(counted(report.members, "member"))"
    }

    private mutating func append(_ finding: DeliveryFinding) {
        buffer.append(look.wrong)
        buffer.append(text: finding.kind.rawValue)
        buffer.append(look.plain)
        buffer.append(": ")
        switch finding.kind {
        case .unanswered:
            buffer.append("no answer to the probe")
            appendQuoted(finding.text)
        case .answeredTwice:
            buffer.append("another answer to the probe")
            appendQuoted(finding.text)
        case .notEntered:
            buffer.append("no answer to the request to enter ")
            buffer.append(escaped: finding.target.span, .log)
        case .unsent:
            appendQuoted(finding.text, space: false)
            buffer.append(", which ")
            buffer.append(escaped: finding.other.span, .log)
            buffer.append(" has not sent")
        default:
            buffer.append(text: "#\(finding.connection) ")
            buffer.append(escaped: finding.operatorName.span, .log)
            appendDetails(finding)
        }
        buffer.append(" (packet ")
        if files.indices.contains(finding.packet.file), files.count > 1 {
            buffer.append(escaped: Array(files[finding.packet.file].utf8).span, .log)
            buffer.append(":")
        }
        buffer.append(decimal: Int64(finding.packet.number))
        buffer.append(")")
    }

    private mutating func appendDetails(_ finding: DeliveryFinding) {
        switch finding.kind {
        case .duplicate: buffer.append(" received it again")
        case .altered:
            buffer.append(" received")
            appendQuoted(finding.text)
        case .outOfOrder:
            buffer.append(" received it after")
            appendQuoted(finding.other)
        case .differentOrder:
            buffer.append(" received it after")
            appendQuoted(finding.other)
            buffer.append(", others before")
        case .leaked: buffer.append(" received it, but is not a recipient")
        case .wrongSender:
            buffer.append(" received it as a message from ")
            buffer.append(escaped: finding.other.span, .log)
        case .missing, .unsent, .unanswered, .answeredTwice, .notEntered: break
        }
    }

    private mutating func begin(_ packet: PacketInfo, _ connection: Int, _ name: [UInt8]) {
        buffer.append(look.dim)
        times.append(packet.time, to: &buffer)
        buffer.append(look.plain)
        buffer.append(text: "  #\(connection) ")
        buffer.append(look.name)
        buffer.append(escaped: name.span, .log)
        buffer.append(look.plain)
    }

    private mutating func appendQuoted(_ text: [UInt8], space: Bool = true) {
        if space { buffer.append(" ") }
        let shown = MessageReport.shortened(text, Self.textBytesMax)
        buffer.append(quoted: shown.span, .log)
        if shown.count < text.count { buffer.append("…") }
    }

    private mutating func endRow() {
        buffer.append("\n")
        if buffer.count >= Self.bufferedBytesMax { flush() }
    }

    package mutating func flush() { buffer.flush(to: &target) }

    package mutating func finish(_ counts: DeliveryCounts) {
        buffer.append(text: counts.words + "\n")
        flush()
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}

extension MessageReport {
    /// Returns the start of a text, without a partial character at the end.
    static func shortened(_ text: [UInt8], _ count: Int) -> [UInt8] {
        guard text.count > count else { return text }
        var end = count
        while end > max(0, count - 4), text[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(text[..<end])
    }
}

extension DeliveryCounts {
    /// The problems, such as `3 missing, 1 duplicate`; empty if there are none.
    package var problems: String {
        DeliveryFinding.Kind.allCases.filter { self[$0] > 0 }
            .map { "\(self[$0]) \($0.rawValue)" }.joined(separator: ", ")
    }

    /// The summary in one line.
    var words: String {
        func counted(_ count: Int, _ noun: String) -> String {
            count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
        }
        var parts = [
            counted(messages, "message"),
            "\(received) of \(due) \(due == 1 ? "delivery" : "deliveries") to known members",
            "\(counted(answers, "probe")) answered",
        ]
        if refused > 0 { parts.append("\(refused) refused") }
        if unknown > 0 { parts.append("\(unknown) unknown") }
        if fromOutside > 0 {
            parts.append("\(fromOutside) from senders outside of the capture")
        }
        if cut > 0 { parts.append("\(cut) cut at the maximum line length") }
        if dropped > 0 { parts.append("\(dropped) not tracked (too many at a time)") }
        return parts.joined(separator: ", ") + "; " + (hasFindings ? problems : "no problems")
    }
}
