import LineProtocol
import Results
import Scenario

/// The `arity.empty` rule, in which an argument is present but empty.
enum ArityEmpty: CheckFamily {
    static let ruleID = "arity.empty"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.hasVerbs else {
            return notApplicable("the dialect's lines have no arguments")
        }
        let line = TalkLine(subject)
        let zero = line.flatMap { self.zero($0, subject) }
        let commands = ArityEmptyArguments.all(subject).filter {
            CheckID(ruleID, $0.name) != zero?.id
        }
        let checks = [zero] + commands.map { each($0, subject) } + [line.map { text($0, subject) }]
        let entries = checks.compactMap { $0.map { CatalogueEntry.check($0) } }
        return entries.isEmpty
            ? notApplicable("the dialect cannot express an empty argument") : entries
    }

    /// Creates the check for one command. Any reaction to an empty argument is acceptable as long
    /// as the session continues.
    private static func each(_ commands: ArityEmptyArguments, _ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, commands.name), commands.claim, setting: "arguments", says: "?",
            in: subject,
            level: .robustness
        ) { maker in commands.cases(&maker) }
    }

    /// Creates the check that an empty number is read as 0 and that the fields after it keep their
    /// positions; nil if the dialect does not specify this.
    private static func zero(_ line: TalkLine, _ subject: Subject) -> Check? {
        let syntax = subject.dialect.syntax.fromClient
        guard !syntax.separatorRuns, syntax.keyValue == nil, syntax.json == nil,
            subject.tolerance(line.signature).mismatch == .zero
        else { return nil }
        let zeros = line.fields.indices.filter { line.line[line.fields[$0]] == [0x30] }
        guard !zeros.isEmpty else { return nil }
        let commands = ArityEmptyArguments.all(subject).first { $0.name == line.verb }
        return Check(
            CheckID(ruleID, line.verb), "an empty numeric argument of \(line.verb) is read as 0",
            setting: "tolerance.mismatch", says: "zero", in: subject
        ) { maker in
            let others = commands?.cases(&maker).map(decided) ?? []
            return others
                + zeros.map { index in
                    var script = maker.talkingScript("argument \(index + 1) empty")
                    script.barrier("alice", role: .control)
                    script.speak("empty\(maker.word())", by: "alice") { wire in
                        var wire = wire
                        // The fields before the message body are at the same offsets in every line
                        // that sends a message.
                        wire.line.removeSubrange(line.fields[index])
                        return [wire.bytes]
                    }
                    script.hear(as: "bob")
                    script.barrier("alice")
                    script.quiet(["bob"])
                    return script.judgedByPeer()
                }
        }
    }

    /// Returns the case with observations judged as passes.
    private static func decided(_ testCase: CheckCase) -> CheckCase {
        var testCase = testCase
        let judge = testCase.judge
        testCase.judge = { evidence in judge(&evidence).decided }
        return testCase
    }

    /// Creates the check that sends an empty message. The server may deliver, drop or refuse it:
    /// few protocols specify which.
    private static func text(_ line: TalkLine, _ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, "text"), "an empty message is harmless", setting: "arguments",
            in: subject,
            level: .robustness
        ) { maker in
            var script = maker.talkingScript("an empty message")
            script.barrier("alice", role: .control)
            script.speak("", by: "alice")
            script.barrier("alice")
            script.settled("bob")
            let room = script.room
            return [
                script.made { evidence in
                    let reaction = Reaction.open.judge(&evidence)
                    guard case .observed(let word) = reaction else { return reaction }
                    let received = PeerBytes.received(
                        by: "bob", from: "alice", room: room, in: &evidence
                    ).texts
                    guard received.allSatisfy(\.isEmpty), received.count < 2 else {
                        return .failed(
                            Finding(
                                "mutated", expected: "bob receives an empty message, or nothing",
                                got: "bob received \(PeerBytes.shown(received))"))
                    }
                    return .observed(
                        received.count == 1 ? "deliver" : word == "refuse" ? "refuse" : "drop")
                }
            ]
        }
    }
}
