import LineProtocol
import Results
import Scenario
import Session

/// The `cap.pair` rule: of two features, a client receives the lines of those that it has turned
/// on, and no others.
enum CapabilityPairs: CheckFamily {
    static let ruleID = "cap.pair"
    /// Maximum number of pairs.
    static let pairsMax = 40

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.has("negotiate"), subject.has("negotiate-off") else {
            return notApplicable("the dialect has no features to turn on")
        }
        let lines = OptionalLines.all(subject).filter { $0.missingVariable(subject) == nil }
        let pairs = lines.indices.flatMap { first in
            lines[(first + 1)...].map { (lines[first], $0) }
        }
        // A mistake is most likely if two features change the same line.
        let (close, apart) = (
            pairs.filter { $0.shareLine(with: $1) }, pairs.filter { !$0.shareLine(with: $1) }
        )
        return (close + apart).prefix(pairsMax).map { .check(check($0, $1, subject)) }
    }

    private static func check(
        _ one: OptionalLines, _ other: OptionalLines, _ subject: Subject
    ) -> Check {
        Check(
            CheckID(ruleID, "\(one.feature)+\(other.feature)"),
            "a client receives \(one.feature) and \(other.feature) lines only as requested",
            setting: "behaviours.negotiate", in: subject
        ) { maker in
            // An operator that leaves the room cannot cause lines that need its rights.
            let isLast = one.leavesRoom(subject) && !other.leavesRoom(subject)
            return [isLast ? made(other, one, &maker) : made(one, other, &maker)]
        }.needing(["negotiate"] + one.behaviours + other.behaviours, subject)
    }

    private static func made(
        _ first: OptionalLines, _ second: OptionalLines, _ maker: inout CaseMaker
    ) -> CheckCase {
        let observers = ["bob", "dave", "erin"]
        let people = ["alice"] + observers
        var script = maker.script(
            "\(first.feature) for bob, \(second.feature) for dave, both for erin", people)
        if first.hasGuest || second.hasGuest {
            script.logIn(CaseActor(handle: "carol", name: maker.word()))
        }
        script.fragments = [first.absent, second.absent]
        script.enter(room: maker.room(), people)
        script.step(.setup, .sync())
        if maker.subject.negotiatesInLogin {
            for lines in OptionalLines.all(maker.subject) {
                for handle in observers {
                    script.step(.setup, lines.turnedOff(by: handle))
                }
            }
        }
        for lines in [first, second] { lines.prepare(observers, in: &script) }
        func turnOn(_ features: String, _ role: CaseStep.Role, by handle: String) {
            let given = [Argument("features", .text(features))]
            script.step(role, .use("negotiate", as: handle, given))
        }
        turnOn(first.feature, .control, by: "bob")
        turnOn(second.feature, .control, by: "dave")
        turnOn("\(first.feature) \(second.feature)", .stimulus, by: "erin")
        for (lines, on, off) in [(first, "bob", "dave"), (second, "dave", "bob")] {
            func cause(to handle: String) {
                if let cause = lines.cause(script, to: handle) { script.step(.stimulus, cause) }
            }
            cause(to: on)
            script.step(.control, lines.shown(script, by: on))
            if lines.isCausedForEach { cause(to: "erin") }
            script.step(.question, lines.shown(script, by: "erin"))
            script.step(.question, .sync("alice"))
            script.step(.question, lines.notShown(script, by: off))
            script.barrier(off)
        }
        return script.made { OptionalLines.judge($0) }
    }
}
