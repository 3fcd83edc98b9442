import LineProtocol
import Results
import Scenario
import Session

/// Checks of messages with special bytes. A dialect policy determines how the server must treat
/// these bytes.
enum ByteTrials {
    static func entries(
        _ ruleID: String, _ policy: String, _ what: String, _ subject: Subject,
        texts: @escaping @Sendable (_ word: [UInt8]) -> [[UInt8]]
    ) -> [CatalogueEntry] {
        guard TextPosition(subject) != nil else {
            let reason = subject.noMessages
            return [.notApplicable(CheckID(ruleID), reason: reason)]
        }
        let word = subject.dialect.policies[policy]
        let claim = claims[word ?? ""] ?? "the session is not disrupted"
        let isBad = Self.isBad(policy)
        let check = Check(
            CheckID(ruleID), "\(what): \(claim)", setting: "policies.\(policy)", says: word ?? "?",
            in: subject
        ) { maker in
            let texts = texts(maker.bytes())
            var script = maker.talkingScript("\(texts.count) messages")
            script.barrier("alice", role: .control)
            for text in texts { tryOut(text, policy: word, isBad, &script) }
            let room = script.room
            return [
                script.made(.texts) { judge(policy: word, isBad, room, &$0) }
            ]
        }
        return [.check(check)]
    }

    /// Adds steps in which alice sends a message. The scenario file states the outcome that the
    /// policy requires.
    private static func tryOut(
        _ text: [UInt8], policy: String?, _ isBad: (UInt8) -> Bool, _ script: inout CaseScript
    ) {
        // JSON can express the byte only as an escape sequence.
        let isJSON = script.subject.dialect.syntax.fromClient.json != nil
        let raw = isJSON ? (try? EscapeRule.json.encode(text)) ?? text : text
        let requires =
            switch policy {
            case "reject": Reaction.refusal.expected(by: "alice", in: script)
            case "close": Reaction.close.expected(by: "alice", in: script)
            default: [Step]()
            }
        script.speak(raw: raw, text: text, by: "alice", requires: requires)
        script.barrier("alice")
        let delivered: [UInt8]? =
            switch policy {
            case "pass": text
            case "strip": text.filter { !isBad($0) }
            case "cut": Array(text.prefix { !isBad($0) })
            default: nil
            }
        if let delivered, !delivered.isEmpty {
            script.hear(delivered, as: "bob", topic: text)
            script.quiet(["bob"])
        } else if policy == "reject" {
            script.quiet(["bob"])
        } else {
            script.settled("bob")
        }
    }

    private static let claims = [
        "pass": "the message arrives unchanged", "strip": "the bytes are removed",
        "replace": "the bytes are replaced", "cut": "the message is cut there",
        "reject": "the message is refused", "close": "the connection is closed",
    ]

    private static func isBad(_ policy: String) -> @Sendable (UInt8) -> Bool {
        switch policy {
        case "nul": { $0 == 0 }
        case "control-bytes": { ASCII.isControl($0) }
        default: { $0 >= 0x80 }
        }
    }

    private static func judge(
        policy: String?, _ isBad: (UInt8) -> Bool, _ room: Int?, _ evidence: inout Evidence
    ) -> Judgement {
        for stimulus in evidence.stimuli {
            guard let text = evidence.testCase.steps[stimulus].topic else { continue }
            let answer = ObservedAnswer(&evidence, stimulus: stimulus)
            let received = PeerBytes.received(for: stimulus, by: "bob", room: room, in: &evidence)
            let word = observed(text, received, answer, isBad)
            if answer.kind == .closed {
                evidence.note(class: "close")
                if policy == "close" { return .passed }
                if policy == nil, answer.line != nil { return .observed("close") }
                return .failed(
                    Finding(
                        "closed", expected: "the connection stays open",
                        got: Liveness.closing(evidence, "alice") ?? answer.words))
            }
            // If the server is unresponsive, the missing answer shows nothing about the byte.
            if evidence.result.outcome == .failed, (evidence.decidingStep ?? 0) < stimulus + 3 {
                return evidence.scripted()
            }
            evidence.note(class: word)
            if policy != nil, !word.split(separator: "/").contains(Substring(policy ?? "")) {
                // A message that is empty after truncation is not delivered.
                let isEmpty = text.first.map(isBad) == true && policy == "cut"
                if !isEmpty { return .failed(finding(text, received, policy ?? "", answer)) }
            }
        }
        guard evidence.result.outcome == .passed else { return evidence.scripted() }
        let timely = Liveness.timely(evidence)
        if case .delayed = timely { return timely }
        return policy == nil ? .observed(evidence.classes.joined(separator: ", ")) : .passed
    }

    private static func finding(
        _ text: [UInt8], _ received: [[UInt8]], _ policy: String, _ answer: ObservedAnswer
    ) -> Finding {
        let difference = PeerBytes.difference(sent: [text], received: received)
        return Finding(
            answer.kind == .refused ? "refused" : difference?.kind ?? "served",
            expected: "\(PeerBytes.shown([text])): \(claims[policy] ?? policy)",
            got: answer.kind == .refused
                ? answer.words
                : received.isEmpty
                    ? "bob received nothing" : "bob received \(PeerBytes.shown(received))")
    }

    /// Returns the observed outcome, such as `pass`, or `strip/cut` if it could be either.
    static func observed(
        _ text: [UInt8], _ received: [[UInt8]], _ answer: ObservedAnswer, _ isBad: (UInt8) -> Bool
    ) -> String {
        if answer.kind == .refused { return "reject" }
        guard let came = received.first, received.count == 1 else {
            return received.isEmpty ? "drop" : "split"
        }
        if came == text { return "pass" }
        var words: [String] = []
        if came == text.filter({ !isBad($0) }) { words.append("strip") }
        if came == Array(text.prefix { !isBad($0) }) { words.append("cut") }
        if words.isEmpty, isReplaced(text, came, isBad) { words.append("replace") }
        return words.isEmpty ? "other" : words.joined(separator: "/")
    }

    /// Returns whether the ordinary parts of a message arrived in order, with anything in between.
    private static func isReplaced(
        _ text: [UInt8], _ came: [UInt8], _ isBad: (UInt8) -> Bool
    ) -> Bool {
        var rest = came[...]
        for part in text.split(whereSeparator: isBad) {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
