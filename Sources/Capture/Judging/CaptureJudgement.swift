package import LineProtocol

/// A requirement that captured traffic shows to be met or violated, without any stimulus.
package enum CapturedRule: String, Sendable, CaseIterable {
    /// Lines are not longer than the maximum.
    case length
    /// Lines and payloads are complete.
    case framing
    /// Lines do not contain forbidden characters.
    case characters
    case escapes
    /// The commands are in the command table.
    case commands
    /// The arguments fit the command table, in number and type.
    case arguments
    /// Each probe is answered exactly once.
    case answers
    /// Messages name the client that sent them.
    case source
    /// Each message is delivered once and unchanged, only to its recipients.
    case delivery
    case order

    /// The rule that a problem with a delivery or an answer violates.
    init(_ kind: DeliveryFinding.Kind) {
        switch kind {
        case .missing, .duplicate, .altered, .leaked: self = .delivery
        case .outOfOrder, .differentOrder: self = .order
        case .unsent, .wrongSender: self = .source
        case .unanswered, .answeredTwice, .notEntered: self = .answers
        }
    }
}

/// The evidence for a violation: a line in the capture.
package struct CapturedEvidence: Sendable {
    package var packet: PacketInfo
    package var connection: Int
    package var operatorName: [UInt8]
    package var direction: Direction
    /// The line, with secrets masked, or the text of a message; only the start if it is long.
    package var line: [UInt8]
    /// Stable keyword for the kind of violation.
    package var kind: String
    /// A description of the violation.
    package var words: String
}

/// What captured traffic shows about one requirement.
package struct CapturedOutcome: Sendable {
    /// Maximum number of violations to keep with their evidence.
    package static let evidenceMax = 8

    /// Number of lines, probes or deliveries that were judged.
    package var judged = 0
    /// Number of violations.
    package private(set) var violations = 0
    /// The first violations.
    package private(set) var evidence: [CapturedEvidence] = []

    /// Adds a violation. `evidence` is called only if it is kept.
    mutating func add(_ evidence: @autoclosure () -> CapturedEvidence) {
        violations += 1
        if self.evidence.count < Self.evidenceMax { self.evidence.append(evidence()) }
    }
}

/// What captured traffic shows about each requirement.
package struct CaptureJudgement: Sendable {
    /// Maximum number of bytes of a line to keep.
    static let lineBytesMax = 512

    package internal(set) var outcomes = [CapturedOutcome](
        repeating: CapturedOutcome(), count: CapturedRule.allCases.count)
    /// Number of lines whose command is in the command table.
    package internal(set) var knownLines = 0
    /// Time of the first packet; nil if packets have no times.
    package internal(set) var startedAt: Int64?
    /// Address of the server, or the number of servers.
    package internal(set) var server = ""

    package subscript(rule: CapturedRule) -> CapturedOutcome {
        get { outcomes[Self.index(rule)] }
        set { outcomes[Self.index(rule)] = newValue }
    }

    private static func index(_ rule: CapturedRule) -> Int {
        CapturedRule.allCases.firstIndex(of: rule) ?? 0
    }
}

extension PacketInfo {
    /// The time in nanoseconds since 1970; nil if the packet has none.
    package var knownTime: Int64? { time == CaptureRecord.timeUnknown ? nil : time }

    /// The time in RFC 3339 format with nanoseconds; nil if the packet has none.
    package var timeText: String? {
        knownTime.map { time in
            var (writer, buffer) = (TimeWriter(.full), TextBuffer(capacity: 64))
            writer.append(time, to: &buffer)
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
    }
}
