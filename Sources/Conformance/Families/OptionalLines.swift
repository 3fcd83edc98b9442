import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The lines that a client receives only if it has turned on a certain feature. The dialect
/// describes them in the behaviours `causes-FEATURE` and `shows-FEATURE`. If `shows-FEATURE` itself
/// requests the lines, `causes-FEATURE` can be missing. If clients need a right to receive the
/// lines, `prepares-FEATURE` gives it to them.
struct OptionalLines {
    let feature: String
    let hasGuest: Bool
    private let prepares: BoundBehaviour?
    private let causes: BoundBehaviour?
    private let shows: BoundBehaviour

    static let prefixes = (
        prepares: "prepares-", causes: "causes-", shows: BoundBehaviour.featurePrefix
    )
    /// Name of the fragment stating that none of these lines arrives.
    private var absentName: String { "hides-\(feature)" }

    /// Returns the optional lines that the dialect describes, sorted by feature name.
    static func all(_ subject: Subject) -> [OptionalLines] {
        subject.dialect.behaviours.keys.sorted().compactMap { name in
            guard name.hasPrefix(prefixes.shows) else { return nil }
            return OptionalLines(String(name.dropFirst(prefixes.shows.count)), subject)
        }
    }

    private init?(_ feature: String, _ subject: Subject) {
        guard let shows = subject.bound[Self.prefixes.shows + feature] else { return nil }
        prepares = subject.bound[Self.prefixes.prepares + feature]
        causes = subject.bound[Self.prefixes.causes + feature]
        guard causes != nil || !shows.sends.isEmpty else { return nil }
        self.feature = feature
        self.shows = shows
        hasGuest = causes?.takes("guest") == true
    }

    /// Names of the behaviours.
    var behaviours: [String] { [prepares?.name, causes?.name, shows.name].compactMap(\.self) }

    /// Returns a variable that the behaviours need and that has no value; nil if there is none.
    func missingVariable(_ subject: Subject) -> String? {
        subject.bound.freeVariables(in: behaviours).first {
            subject.variables[$0] == nil || subject.missingVariables.contains($0)
        }
    }

    /// The fragment stating that none of these lines arrives.
    var absent: Fragment {
        Fragment(absentName, shows.parameters, shows.steps.map { $0.expecting(.never) })
    }

    /// Returns the step in which a client turns the feature off.
    func turnedOff(by handle: String) -> Step {
        .use("negotiate-off", as: handle, [Argument("feature", .text(feature))])
    }

    /// Adds steps in which alice enables clients to receive these lines, if that is necessary.
    func prepare(_ handles: [String], in script: inout CaseScript) {
        guard let prepares else { return }
        for handle in handles {
            script.step(
                .setup,
                .use(prepares.name, as: "alice", given(script, prepares.name, to: handle)))
        }
        script.step(.setup, .sync())
    }

    /// Returns the step in which alice causes the server to send these lines to a client; nil if the
    /// clients that receive them request them.
    func cause(_ script: CaseScript, to observer: String) -> Step? {
        causes.map { .use($0.name, as: "alice", given(script, $0.name, to: observer)) }
    }

    /// True if alice must cause the lines once for each client that receives them.
    var isCausedForEach: Bool { causes?.takes("to") == true }

    /// Returns whether alice leaves the room to cause the lines, and so loses her rights in it.
    func leavesRoom(_ subject: Subject) -> Bool {
        let leaves = Set(subject.bound["leave"]?.sentLines.map(\.command) ?? [])
        return causes?.sentLines.contains { leaves.contains($0.command) } == true
    }

    /// Returns whether both features change the same line.
    func shareLine(with other: OptionalLines) -> Bool {
        !Set(shows.awaitedLines.map(\.command)).isDisjoint(
            with: other.shows.awaitedLines.map(\.command))
    }

    /// Returns the step that expects a client to receive these lines.
    func shown(_ script: CaseScript, by handle: String) -> Step {
        .use(shows.name, as: handle, given(script, shows.name, to: handle))
    }

    /// Returns the step stating that a client receives none of these lines.
    func notShown(_ script: CaseScript, by handle: String) -> Step {
        .use(absentName, as: handle, given(script, shows.name, to: handle))
    }

    /// Returns the verdict of a case in which alice causes these lines.
    static func judge(_ evidence: Evidence) -> Judgement {
        guard evidence.decidingRole == .stimulus, evidence.result.outcome == .failed else {
            return evidence.scripted()
        }
        return .inconclusive(
            "the server could not be made to send the lines: "
                + ScriptedFinding.finding(evidence).got)
    }

    /// - Parameter observer: The client that receives the lines.
    private func given(
        _ script: CaseScript, _ behaviour: String, to observer: String
    ) -> [Argument] {
        script.arguments(
            [
                ("from", .text(script.actor("alice").name)), ("room", .int(script.room ?? 0)),
                ("guest", .text(script.actor("carol").name)),
                ("to", .text(script.actor(observer).name)),
            ], of: behaviour)
    }
}
