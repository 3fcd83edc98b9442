import LineProtocol
import Results
import Scenario
import Session

/// The `esc.lenient` rule, in which messages contain undefined escapes or end in an escape byte.
enum EscapeLenient: CheckFamily {
    static let ruleID = "esc.lenient"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let position = TextPosition(subject), let rule = position.rule, rule.marker != nil
        else {
            return notApplicable("messages have no escapes")
        }
        if rule == .json {
            return notApplicable("undefined escapes are invalid JSON; json.invalid tests them")
        }
        return trials(rule, subject).map { .check(check($0, rule, subject)) }
    }

    /// A kind of escape to try, with the dialect's rule for it.
    private struct Trial {
        var name: String
        var claim: String
        var says: String
        var raw: [[UInt8]]
        var isLast: Bool
        var isOpen: Bool
    }

    private static func trials(_ rule: EscapeRule, _ subject: Subject) -> [Trial] {
        func isOpen(_ word: String) -> Bool {
            subject.dialect.openPolicies.contains {
                $0.hasPrefix("escaping") && $0.hasSuffix(".\(word)")
            }
        }
        guard case .table(let table) = rule else {
            guard case .percent = rule else { return [] }
            return [
                Trial(
                    name: "unknown",
                    claim: "a percent sign that does not start an escape is taken literally",
                    says: "percent", raw: [Array("%zz".utf8), Array("%".utf8)], isLast: false,
                    isOpen: false)
            ]
        }
        let letters = Array("qzQ79".utf8).filter { table.byte(for: $0) == nil }
        return [
            Trial(
                name: "unknown", claim: claim("an unknown escape", "\(table.unknown)"),
                says: isOpen("unknown") ? "?" : "\(table.unknown)",
                raw: letters.map { [table.escape, $0] }, isLast: false, isOpen: isOpen("unknown")),
            Trial(
                name: "lone", claim: claim("an escape byte at the end", "\(table.lone)"),
                says: isOpen("lone") ? "?" : "\(table.lone)", raw: [[table.escape]], isLast: true,
                isOpen: isOpen("lone")),
        ]
    }

    private static func claim(_ what: String, _ word: String) -> String {
        let verbs = [
            "letter": "stands for its letter", "verbatim": "stands for itself",
            "drop": "is dropped", "error": "is refused",
        ]
        return "\(what) \(verbs[word] ?? "is harmless")"
    }

    private static func check(
        _ trial: Trial, _ rule: EscapeRule, _ subject: Subject
    ) -> Check {
        let claim = trial.isOpen ? "\(trial.name) escapes do not end the session" : trial.claim
        return Check(
            CheckID(ruleID, trial.name), claim, setting: "escaping.\(trial.name)", says: trial.says,
            in: subject
        ) { maker in
            var trials: [TextTrial] = []
            for part in trial.raw {
                let raw = maker.bytes() + part + (trial.isLast ? [] : maker.bytes())
                let text: [UInt8]?
                do { text = try rule.decode(raw) } catch { text = nil }
                trials.append(TextTrial(raw: raw, text: text ?? raw, isRefused: text == nil))
            }
            return [
                TextTrial.made(
                    trial.name == "lone" ? "at the end of a message" : "inside a message", trials,
                    isOpen: trial.isOpen, &maker)
            ]
        }
    }
}

/// A message in raw bytes, with its expected outcome.
struct TextTrial: Sendable {
    /// The bytes to send in place of an encoded message.
    var raw: [UInt8]
    /// The message that must arrive.
    var text: [UInt8]
    /// True if the message must be refused.
    var isRefused = false

    /// Returns a case in which alice sends these messages one by one, and bob must receive each of
    /// them unless the server must refuse it.
    static func made(
        _ title: String, _ trials: [TextTrial], isOpen: Bool, _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.talkingScript(title)
        script.barrier("alice", role: .control)
        for trial in trials {
            script.speak(
                raw: trial.raw, text: trial.raw, by: "alice",
                requires: trial.isRefused && !isOpen
                    ? Reaction.refusal.expected(by: "alice", in: script) : [])
            script.barrier("alice")
            if isOpen {
                script.settled("bob")
            } else if trial.isRefused {
                script.quiet(["bob"])
            } else {
                script.hear(trial.text, as: "bob", topic: trial.raw)
                script.quiet(["bob"])
            }
        }
        let room = script.room
        return script.made(.texts) { evidence in
            judge(trials, isOpen: isOpen, room, &evidence)
        }
    }

    private static func judge(
        _ trials: [TextTrial], isOpen: Bool, _ room: Int?, _ evidence: inout Evidence
    ) -> Judgement {
        for stimulus in evidence.stimuli {
            let topic = evidence.testCase.steps[stimulus].topic
            guard let trial = trials.first(where: { $0.raw == topic }) else { continue }
            let answer = ObservedAnswer(&evidence, stimulus: stimulus)
            let received = PeerBytes.received(for: stimulus, by: "bob", room: room, in: &evidence)
            if answer.kind == .closed {
                if isOpen, answer.line != nil { return .observed("refuseAndClose") }
                return .failed(
                    Finding(
                        "closed", expected: "the connection stays open",
                        got: Liveness.closing(evidence, "alice") ?? answer.words))
            }
            evidence.note(class: observed(trial, received, answer))
            if isOpen { continue }
            if let finding = trial.finding(answer, received) { return .failed(finding) }
        }
        guard evidence.result.outcome == .passed else { return evidence.scripted() }
        return isOpen ? .observed(evidence.classes.joined(separator: ", ")) : .passed
    }

    private func finding(_ answer: ObservedAnswer, _ received: [[UInt8]]) -> Finding? {
        if isRefused {
            guard answer.kind != .refused else { return nil }
            return Finding("served", expected: "a refusal", got: answer.words)
        }
        if answer.kind == .refused {
            return Finding("refused", expected: "no refusal", got: answer.words)
        }
        guard let difference = PeerBytes.difference(sent: [text], received: received) else {
            return nil
        }
        return Finding(
            difference.kind, expected: "bob receives \(PeerBytes.shown([text]))",
            got: received.isEmpty
                ? "bob received nothing" : "bob received \(PeerBytes.shown(received))")
    }

    private static func observed(
        _ trial: TextTrial, _ received: [[UInt8]], _ answer: ObservedAnswer
    ) -> String {
        if answer.kind == .refused { return "refuse" }
        guard let text = received.first else { return "drop" }
        if text == trial.raw { return "verbatim" }
        return text == trial.text ? "decode" : "other"
    }
}

extension PeerBytes {
    /// Returns the messages from alice that `recipient` received between a stimulus and the next one.
    static func received(
        for stimulus: Int, by recipient: String, room: Int?, in evidence: inout Evidence
    ) -> [[UInt8]] {
        let next = evidence.stimuli.first { $0 > stimulus } ?? .max
        var texts: [[UInt8]] = []
        for (entry, step) in evidence.entries
        where step >= stimulus && step < next && entry.operatorName == recipient
            && entry.kind == .received
        {
            if let text = evidence.text(entry, from: "alice", room: room) { texts.append(text) }
        }
        return texts
    }
}
