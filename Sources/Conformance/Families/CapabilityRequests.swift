import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `cap.…` rules, about features that clients turn on.
enum CapabilityRequests: CheckFamily {
    static let ruleID = "cap"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let checks = [held(subject), unknown(subject)].compactMap(\.self)
        let entries = checks.map { CatalogueEntry.check($0) } + off(subject)
        guard !entries.isEmpty else {
            return notApplicable("the dialect has no features to turn on")
        }
        guard subject.negotiatesInLogin else { return entries }
        return [
            .notApplicable(
                CheckID(heldID), reason: "the dialect's login negotiates features itself")
        ] + entries
    }

    // MARK: cap.held

    private static let heldID = "cap.held"
    /// Name of the fragment stating that the login has not completed.
    private static let notLoggedIn = "notloggedin"

    /// Creates the check that a negotiation delays the login; nil if the dialect cannot negotiate
    /// before the login.
    private static func held(_ subject: Subject) -> Check? {
        guard subject.has("negotiation"), subject.has("negotiation-end"),
            !subject.negotiatesInLogin,
            let login = subject.bound["login"],
            let welcome = login.steps.first(where: { $0.awaited != nil })
        else { return nil }
        return Check(
            CheckID(heldID), "login does not complete while features are being negotiated",
            setting: "behaviours.negotiation", in: subject
        ) { maker in
            guard let parts = LoginParts(maker.subject) else { return [] }
            var script = CaseScript("a login during negotiation", maker.subject)
            script.fragments = [
                parts.opening, parts.completion,
                Fragment(notLoggedIn, ["name"], [welcome.expecting(.never)]),
            ]
            let alice = CaseActor(handle: "alice", name: maker.word())
            let word = maker.word()
            script.connect(alice)
            script.step(.control, .use("negotiation", as: "alice"))
            script.step(.stimulus, parts.use(LoginParts.names.opens, by: alice, word: word))
            script.step(.question, .use("negotiation", as: "alice"))
            script.step(
                .question, .use(notLoggedIn, as: "alice", [Argument("name", .text(alice.name))]))
            script.step(.question, .use("negotiation-end", as: "alice"))
            script.step(.question, parts.use(LoginParts.names.completes, by: alice, word: word))
            return [script.made { $0.scripted() }]
        }.needing(["negotiation"], subject)
    }

    // MARK: cap.unknown

    /// A feature that no server supports.
    private static let unknownFeature = "linejudge.test/unknown"

    /// Creates the check that a request for an unknown feature changes nothing; nil if the dialect
    /// lacks the behaviours for it.
    private static func unknown(_ subject: Subject) -> Check? {
        guard subject.has("negotiate-refused"), subject.has("negotiated") else { return nil }
        let known = OptionalLines.all(subject).first?.feature
        return Check(
            CheckID("cap.unknown"), "a request for an unknown feature is refused as a whole",
            setting: "behaviours.negotiate-refused", in: subject
        ) { maker in
            var script = maker.script("unknown features")
            script.step(.control, .use("negotiated", as: "alice"))
            script.barrier("alice", role: .control)
            let requests = [unknownFeature] + (known.map { ["\($0) \(unknownFeature)"] } ?? [])
            for features in requests {
                script.step(
                    .stimulus,
                    .use("negotiate-refused", as: "alice", [Argument("features", .text(features))]))
            }
            script.step(.question, .use("negotiated", as: "alice"))
            script.barrier("alice")
            return [script.made { judge(&$0) }]
        }.needing(["negotiate-refused", "negotiated"], subject)
    }

    private static func judge(_ evidence: inout Evidence) -> Judgement {
        let listings = evidence.testCase.steps.indices.filter {
            evidence.testCase.steps[$0].uses("negotiated")
        }
        guard evidence.result.outcome == .passed, let first = listings.first,
            let last = listings.last, first != last
        else { return evidence.scripted() }
        let before = listing(evidence, first)
        let after = listing(evidence, last)
        guard before == after else {
            return .failed(
                Finding(
                    "changed", expected: "the same features as before",
                    got: "\(PeerBytes.shown(after)) instead of \(PeerBytes.shown(before))"))
        }
        return evidence.scripted()
    }

    /// Returns the lines received during a step, without their tags.
    private static func listing(_ evidence: Evidence, _ step: Int) -> [[UInt8]] {
        evidence.entries.compactMap { entry, entryStep in
            guard entryStep == step, entry.kind == .received, entry.role == .plain else {
                return nil
            }
            let line = entry.bytes
            var split = SplitLine()
            LineSplitter(evidence.subject.dialect, direction: .fromServer).split(
                line.span, 0..<line.count, into: &split)
            return Array(line[(split.tags.map { $0.upperBound + 1 } ?? 0)...])
        }
    }

    // MARK: cap.off

    /// Creates a check for each feature that adds lines only for clients that have turned it on.
    private static func off(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.has("negotiate"), subject.has("negotiate-off") else { return [] }
        return OptionalLines.all(subject).map { lines in
            let id = CheckID("cap.off", lines.feature)
            if let variable = lines.missingVariable(subject) {
                return .notApplicable(
                    id, reason: "needs a value: pass `--var \(variable)=VALUE`")
            }
            return .check(off(id, lines, subject))
        }
    }

    private static func off(_ id: CheckID, _ lines: OptionalLines, _ subject: Subject) -> Check {
        Check(
            id, "a client receives \(lines.feature) lines only while the feature is turned on",
            setting: "behaviours.negotiate-off", in: subject
        ) { maker in
            var script = maker.script("on for dave, off for bob", ["alice", "bob", "dave"])
            if lines.hasGuest { script.logIn(CaseActor(handle: "carol", name: maker.word())) }
            script.fragments = [lines.absent]
            script.enter(room: maker.room(), ["alice", "bob", "dave"])
            script.step(.setup, .sync())
            for handle in ["bob", "dave"] {
                script.step(
                    .control,
                    .use("negotiate", as: handle, [Argument("features", .text(lines.feature))]))
            }
            let cause = lines.cause(script)
            script.step(cause == nil ? .stimulus : .setup, lines.turnedOff(by: "bob"))
            if let cause { script.step(.stimulus, cause) }
            script.step(.control, lines.shown(script))
            script.step(.question, .sync("alice"))
            script.step(.question, lines.notShown(script))
            script.barrier("bob")
            return [
                script.made { evidence in
                    // The server may refuse the request that would cause the lines.
                    let isRefused = evidence.decidingRole == .stimulus
                    return isRefused && evidence.result.outcome == .failed
                        ? .inconclusive(
                            "the server could not be made to send the lines: "
                                + ScriptedFinding.finding(evidence).got)
                        : evidence.scripted()
                }
            ]
        }.needing(["negotiate"] + lines.behaviours, subject)
    }
}

/// The lines that a client receives only if it has turned on a certain feature. The dialect
/// describes them in two behaviours, `causes-FEATURE` and `shows-FEATURE`. If `shows-FEATURE`
/// itself requests the lines, `causes-FEATURE` can be missing.
struct OptionalLines {
    let feature: String
    let hasGuest: Bool
    private let causes: BoundBehaviour?
    private let shows: BoundBehaviour

    private static let prefixes = (causes: "causes-", shows: BoundBehaviour.featurePrefix)
    /// Name of the fragment stating that none of these lines arrives.
    private static let absentName = "notshown"

    /// Returns the optional lines that the dialect describes, sorted by feature name.
    static func all(_ subject: Subject) -> [OptionalLines] {
        subject.dialect.behaviours.keys.sorted().compactMap { name in
            guard name.hasPrefix(prefixes.shows) else { return nil }
            return OptionalLines(String(name.dropFirst(prefixes.shows.count)), subject)
        }
    }

    private init?(_ feature: String, _ subject: Subject) {
        guard let shows = subject.bound[Self.prefixes.shows + feature] else { return nil }
        causes = subject.bound[Self.prefixes.causes + feature]
        guard causes != nil || !shows.sends.isEmpty else { return nil }
        self.feature = feature
        self.shows = shows
        hasGuest = causes?.takes("guest") == true
    }

    /// Names of the behaviours.
    var behaviours: [String] { [causes?.name, shows.name].compactMap(\.self) }

    /// Returns a variable that the behaviours need and that has no value; nil if there is none.
    func missingVariable(_ subject: Subject) -> String? {
        subject.bound.freeVariables(in: behaviours).first {
            subject.variables[$0] == nil || subject.missingVariables.contains($0)
        }
    }

    /// The fragment stating that none of these lines arrives.
    var absent: Fragment {
        Fragment(Self.absentName, shows.parameters, shows.steps.map { $0.expecting(.never) })
    }

    /// Returns the step in which a client turns the feature off.
    func turnedOff(by handle: String) -> Step {
        .use("negotiate-off", as: handle, [Argument("feature", .text(feature))])
    }

    /// Returns the step in which alice causes the server to send these lines; nil if the clients
    /// that receive them request them.
    func cause(_ script: CaseScript) -> Step? {
        causes.map { .use($0.name, as: "alice", given(script, $0.name, to: "dave")) }
    }

    /// Returns the step that expects dave to receive these lines.
    func shown(_ script: CaseScript) -> Step {
        .use(shows.name, as: "dave", given(script, shows.name, to: "dave"))
    }

    /// Returns the step stating that bob receives none of these lines.
    func notShown(_ script: CaseScript) -> Step {
        .use(Self.absentName, as: "bob", given(script, shows.name, to: "bob"))
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
