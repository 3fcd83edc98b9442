import LineProtocol
import Results
import Scenario
import Session

/// The `frame.eof` rule: at the end of a stream, complete lines are executed but a partial line
/// never is.
enum FrameEnd: CheckFamily {
    static let ruleID = "frame.eof"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.dialect.framing.unit == .line else {
            return notApplicable(
                "frames are delimited by a length or an end marker, not by line terminators")
        }
        guard subject.talk?.isOneLine == true else {
            return unanswered(subject).map { [.check($0)] }
                ?? notApplicable("the dialect has neither single-line messages nor a probe")
        }
        let complete = Check(
            CheckID(ruleID, "whole"), "a complete line before the end of the stream is executed",
            setting: "framing", in: subject, level: .robustness
        ) { maker in
            [whole(together: true, &maker), whole(together: false, &maker), both(&maker)]
        }
        let partial = Check(
            CheckID(ruleID, "part"),
            "a partial line before the end of the stream is never executed",
            setting: "framing", in: subject, level: .robustness
        ) { maker in
            [CaseEnding.close, .halfClose, .abort].map { part($0, &maker) }
        }
        return [.check(complete), .check(partial)]
    }

    /// Creates the check that a partial probe is not answered, for dialects that cannot send messages.
    /// Returns nil if the dialect has no probe.
    private static func unanswered(_ subject: Subject) -> Check? {
        guard let alive = AliveFragment(subject), alive.wire(word: "part", subject) != nil else {
            return nil
        }
        return Check(
            CheckID(ruleID, "part"),
            "a partial line before the end of the stream is never executed", setting: "framing",
            in: subject, level: .robustness
        ) { maker in
            var script = maker.script("a partial probe, then a half-close")
            script.barrier("alice", role: .control)
            let part = alive.wire(word: maker.word(), subject)?.cut ?? []
            script.send(.stimulus, part, by: "alice")
            script.step(.stimulus, .halfClose("alice"))
            script.step(
                .question, .wait(Self.silence), by: "alice",
                requires: [.expect("alice", .never, ExpectedPattern.anyLine, within: Self.silence)])
            script.step(.question, .close("alice"))
            return [
                script.made { evidence in
                    let first = evidence.stimuli.first ?? 0
                    let answer = evidence.entries.first { entry, step in
                        step >= first && evidence.isProbeAnswer(entry)
                    }
                    guard let answer else { return evidence.scripted() }
                    return .failed(
                        Finding(
                            "extra-command", expected: "a partial line is not executed",
                            got: "the server answered \(PeerBytes.shown([answer.entry.bytes]))"))
                }
            ]
        }
    }

    /// How long no line may arrive after a partial one, in nanoseconds.
    private static let silence: Int64 = 300_000_000

    private static func whole(together: Bool, _ maker: inout CaseMaker) -> CheckCase {
        var script = maker.talkingScript(
            together ? "a line and the FIN in one segment" : "a line, then the FIN")
        script.barrier("alice", role: .control)
        script.speak("whole\(maker.word())", by: "alice")
        if together { script.segmentation = .finWithData }
        script.step(.stimulus, .close("alice"))
        script.hear(as: "bob")
        script.unheardAnything(by: "alice", as: "bob")
        script.freed("alice")
        return script.judgedByTexts([script.lastSaid ?? []])
    }

    /// Creates a case that sends a complete line and a partial one, and then ends the stream.
    private static func both(_ maker: inout CaseMaker) -> CheckCase {
        var script = maker.talkingScript("a line, a partial line, then the FIN")
        script.barrier("alice", role: .control)
        let part = script.wire("part\(maker.word())", by: "alice")
        let text = "whole\(maker.word())"
        script.speak(text, by: "alice") { [$0.bytes + (part?.cut ?? [])] }
        script.step(.stimulus, .close("alice"))
        script.hear(as: "bob")
        script.unheardAnything(by: "alice", as: "bob")
        script.freed("alice")
        return script.judgedByTexts([Array(text.utf8)])
    }

    private static func part(_ end: CaseEnding, _ maker: inout CaseMaker) -> CheckCase {
        var script = maker.talkingScript("a partial line, then \(end.rawValue)")
        script.barrier("alice", role: .control)
        let text = "part\(maker.word())"
        script.speak(text, by: "alice") { [$0.cut] }
        script.step(.stimulus, end.step(by: "alice"))
        if end == .halfClose {
            // Another check covers whether the server then closes the connection.
            script.step(.question, .sync("bob"))
            script.step(.question, .close("alice"))
        }
        script.freed("alice")
        script.unheard(text, by: "alice", as: "bob")
        return script.judgedByTexts([])
    }
}

extension WireLine {
    /// The line without its terminator. If a payload follows, the line and the payload, without the
    /// payload's terminator.
    var cut: [UInt8] {
        tail.isEmpty ? line : line + terminator + tail.dropLast(terminator.count)
    }
}

extension CaseScript {
    /// Returns the case with a judge that looks only at the messages that bob received from alice.
    /// Other lines are ignored.
    func judgedByTexts(_ texts: [[UInt8]]) -> CheckCase {
        let room = room
        return made(.texts) { evidence in
            let texts = evidence.testCase.expected(texts)
            let received = PeerBytes.received(by: "bob", from: "alice", room: room, in: &evidence)
                .texts
            guard let difference = PeerBytes.difference(sent: texts, received: received) else {
                return StaleSession.judge(evidence) ?? evidence.scripted()
            }
            return .failed(
                Finding(
                    difference.kind,
                    expected: texts.isEmpty
                        ? "bob receives nothing" : "bob receives \(PeerBytes.shown(texts))",
                    got: received.isEmpty
                        ? "the message never arrived" : "bob received \(PeerBytes.shown(received))")
            )
        }
    }
}
