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
            lines.prepare(["bob", "dave"], in: &script)
            for handle in ["bob", "dave"] {
                script.step(
                    .control,
                    .use("negotiate", as: handle, [Argument("features", .text(lines.feature))]))
            }
            let cause = lines.cause(script, to: "dave")
            script.step(cause == nil ? .stimulus : .setup, lines.turnedOff(by: "bob"))
            if let cause { script.step(.stimulus, cause) }
            script.step(.control, lines.shown(script, by: "dave"))
            script.step(.question, .sync("alice"))
            script.step(.question, lines.notShown(script, by: "bob"))
            script.barrier("bob")
            return [script.made { OptionalLines.judge($0) }]
        }.needing(["negotiate"] + lines.behaviours, subject)
    }
}
