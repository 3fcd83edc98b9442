import LineProtocol
import Results
import Scenario
import Session

/// The `frame.max` rule, about lines of the maximum length, lines that exceed it, and data after
/// the maximum.
enum FrameMaximum: CheckFamily {
    static let ruleID = "frame.max"
    /// Maximum length of the lines that exceed the limit, in bytes.
    private static let bytesMax = 1 << 20
    /// Maximum length of a server's truncation marker, such as `[CUT]`.
    private static let markBytesMax = 8

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.dialect.framing.unit == .line else {
            return notApplicable(
                "frames are delimited by a length or an end marker, not by line terminators")
        }
        var script = CaseScript("", subject)
        script.enter(room: SeededRandom.sampleRoom, [])
        let huge = CatalogueEntry.check(FrameHuge.check(subject))
        guard let wire = script.wire("text", by: "alice"), wire.tail.isEmpty else { return [huge] }
        return [within(subject), over(subject), tail(subject)].map { .check($0) } + [huge]
    }

    /// Returns the maximum length of a line without its terminator.
    private static func maximum(_ subject: Subject) -> Int {
        let side = subject.dialect.framing.fromClient
        return side.limits.lineBytesMax
            - (side.limits.countsTerminator ? side.terminator.count : 0)
    }

    /// Adds a step that sends a message that ends in `end` and whose line is `count` bytes long.
    /// Returns the message without `end`.
    private static func fill(
        to count: Int, end: [UInt8] = [], _ script: inout CaseScript, _ word: String
    ) -> [UInt8] {
        var text = Array(word.utf8)
        let head = script.wire(word, by: "alice")?.line.count ?? 0
        text += Array(repeating: 0x78, count: max(0, count - head - end.count))
        script.speak(String(decoding: text, as: UTF8.self), by: "alice") { wire in
            [wire.line + end + wire.terminator]
        }
        return text
    }

    // MARK: Up to the maximum

    private static func within(_ subject: Subject) -> Check {
        let limit = maximum(subject)
        return Check(
            CheckID(ruleID, "within"), "a line of up to \(limit) bytes plus terminator is accepted",
            setting: "framing.limits.line",
            says: "\(subject.dialect.framing.fromClient.limits.lineBytesMax)", in: subject
        ) { maker in
            [2, 1, 0].map { less in
                var script = maker.talkingScript("\(limit - less) bytes")
                script.barrier("alice", role: .control)
                let text = fill(to: limit - less, &script, maker.word())
                script.barrier("alice")
                script.hear(as: "bob", whenWritten: true)
                script.quiet(["bob"])
                let room = script.room
                return script.made { judgeRelayed(text, room, &$0) }
            }
        }
    }

    /// Judges whether a message was relayed. If the relayed line would be too long, the server may
    /// truncate or refuse the message.
    private static func judgeRelayed(
        _ text: [UInt8], _ room: Int?, _ evidence: inout Evidence
    ) -> Judgement {
        let received = PeerBytes.received(by: "bob", from: "alice", room: room, in: &evidence).texts
        let answer = ObservedAnswer(&evidence, stimulus: evidence.stimuli.first ?? 0)
        if relayedCount(text, room, &evidence) > serverMaximum(evidence) {
            let isCut = received.count == 1 && isStart(received[0], of: text)
            let isRefused = received.isEmpty && answer.kind == .refused
            if isCut || isRefused { return evidence.scripted() }
        }
        if received.isEmpty, answer.kind == .refused {
            return .failed(
                Finding("refused", expected: "the message is relayed", got: answer.words))
        }
        return PeerBytes.judge([text], by: "alice", recipient: "bob", room: room, in: &evidence)
    }

    /// Returns whether a received message is the beginning of the one sent, optionally followed by
    /// a truncation marker.
    private static func isStart(_ received: [UInt8], of text: [UInt8]) -> Bool {
        let common = zip(received, text).prefix { $0 == $1 }.count
        return received.count <= text.count && received.count - common <= markBytesMax
    }

    /// Returns the length that the line delivering a message to bob would have if the message were
    /// not truncated; the length of the message alone if bob received none.
    private static func relayedCount(
        _ text: [UInt8], _ room: Int?, _ evidence: inout Evidence
    ) -> Int {
        for (entry, _) in evidence.entries
        where entry.operatorName == "bob" && entry.kind == .received {
            guard let plain = evidence.text(entry, from: "alice", room: room) else { continue }
            return entry.bytes.count - plain.count + text.count
        }
        return text.count
    }

    private static func serverMaximum(_ evidence: Evidence) -> Int {
        let side = evidence.subject.dialect.framing.fromServer
        return side.limits.lineBytesMax
            - (side.limits.countsTerminator ? side.terminator.count : 0)
    }

    // MARK: Over the maximum

    private static func over(_ subject: Subject) -> Check {
        let limit = maximum(subject)
        let overflow = subject.dialect.framing.fromClient.overflow
        let (word, claim, reaction) = words(overflow)
        return Check(
            CheckID(ruleID, "over"), "a line of more than \(limit) bytes \(claim)",
            setting: "framing.overflow", says: word, in: subject
        ) { maker in
            [limit + 1, limit + 2, limit * 2, limit * 10].filter { $0 <= bytesMax }.map { count in
                var script = maker.talkingScript("\(count) bytes")
                script.barrier("alice", role: .control)
                let text = fill(to: count, &script, maker.word())
                switch reaction {
                case .refusal, .close: script.require(reaction.expected(by: "alice", in: script))
                case .tolerance, .silence, .open: break
                }
                script.barrier("alice")
                // If the server must truncate the line, or if the dialect does not specify the
                // reaction, the start of the message may be delivered.
                switch overflow {
                case .open, .truncate: script.settled("bob")
                default: script.quiet(["bob"])
                }
                let room = script.room
                return script.made { judgeOver(text, overflow, reaction, room, &$0) }
            }
        }
    }

    private static func words(
        _ overflow: Framing.Overflow
    ) -> (word: String, claim: String, reaction: Reaction) {
        switch overflow {
        case .open: ("?", "neither blocks the session nor closes it silently", .open)
        case .truncate: ("truncate", "is truncated", .tolerance)
        case .reject: ("reject", "is refused", .refusal)
        case .discard: ("discard", "is dropped silently", .silence)
        case .close: ("close", "ends the connection", .close)
        }
    }

    private static func judgeOver(
        _ text: [UInt8], _ overflow: Framing.Overflow, _ reaction: Reaction, _ room: Int?,
        _ evidence: inout Evidence
    ) -> Judgement {
        let received = PeerBytes.received(by: "bob", from: "alice", room: room, in: &evidence).texts
        let isCut = received.count == 1 && isStart(received[0], of: text)
        if !received.isEmpty, !isCut {
            return .failed(
                Finding(
                    "extra-command", expected: "bob receives the start of the message, or nothing",
                    got: "bob received \(PeerBytes.shown(received))"))
        }
        let judgement = reaction.judge(&evidence)
        let word = isCut ? received[0].count < text.count ? "cut" : "take whole" : nil
        if let word = word ?? (evidence.classes == ["ignore"] ? "drop" : nil) {
            evidence.note(onlyClass: word)
        }
        switch judgement {
        case .observed: return .observed(evidence.classes.joined(separator: ", "))
        case .passed where overflow == .truncate && !isCut:
            return .failed(
                Finding(
                    "lost", expected: "bob receives the start of the message",
                    got: "bob received nothing"))
        default: return judgement
        }
    }

    // MARK: Beyond the maximum

    private static func tail(_ subject: Subject) -> Check {
        let limit = maximum(subject)
        return Check(
            CheckID(ruleID, "tail"),
            "bytes beyond the maximum line length are never executed as a command",
            setting: "framing.overflow", in: subject, level: .robustness
        ) { maker in
            // Some servers include the terminator in the line length.
            [0, 1, 2].map { more in
                var script = maker.talkingScript("a command starting at byte \(limit + more)")
                script.barrier("alice", role: .control)
                let tail = "tail\(maker.word())"
                let command = script.wire(tail, by: "alice")?.line ?? []
                _ = fill(to: limit + more + command.count, end: command, &script, maker.word())
                script.barrier("alice")
                script.unheard(tail, by: "alice", as: "bob")
                let room = script.room
                return script.made { evidence in
                    if let ran = PeerBytes.ran(
                        Array(tail.utf8), by: "alice", room: room,
                        expected: "the extra bytes stay part of the line, or are dropped",
                        in: &evidence)
                    {
                        return .failed(ran)
                    }
                    // Another check covers the rest of the line.
                    return .passed
                }
            }
        }
    }
}
