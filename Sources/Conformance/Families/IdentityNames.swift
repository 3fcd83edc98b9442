import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario
import Session

/// The `id.case` rule, in which a client requests a name that differs from another client's name
/// only in case.
enum IdentityCase: CheckFamily {
    static let ruleID = "id.case"
    private static let rule = "policies.name-case"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        if let reason = NameCase.reason(subject) { return notApplicable(reason) }
        let policy = subject.dialect.policies["name-case"]
        let check = Check(
            CheckID(ruleID),
            claims[policy ?? ""] ?? "names that differ only in case do not disrupt the server",
            setting: rule,
            says: policy ?? "?", in: subject
        ) { maker in
            trials(policy, maker.word()).map { trial in
                NameCase.second(
                    trial.title, trial.names.0, trial.names.1, isRefused: trial.isSame == true,
                    &maker
                ) { outcome, evidence in
                    outcome.note(&evidence, taken: "the same", given: "different")
                    return switch (outcome, trial.isSame) {
                    case (_, nil): outcome.observed(evidence, taken: "the same", given: "different")
                    case (.refused, true?), (.given, false?): .passed
                    case (.given, true?):
                        .failed(
                            Finding(
                                "taken-twice",
                                expected: "\(trial.requested) is refused, because "
                                    + "\(trial.used) is in use",
                                got: "both names were accepted"))
                    case (.refused, false?):
                        .failed(
                            Finding(
                                "refused",
                                expected: "\(trial.requested) is accepted, although "
                                    + "\(trial.used) is in use",
                                got: "\(trial.requested) was refused"))
                    case (.other, _): evidence.scripted()
                    }
                }
            }
        }
        return [.check(check)]
    }

    private static let claims = [
        "exact": "names that differ only in case are distinct",
        "ascii": "names that differ only in the case of ASCII letters are equal",
        "rfc1459": "names that differ only in case are equal",
        "rfc1459-strict": "names that differ only in case are equal",
        "unicode": "names that differ only in case are equal",
    ]

    private struct Trial {
        var title: String
        var names: (String, String)
        /// True if the dialect considers the names equal; nil if it does not specify this.
        var isSame: Bool?
        var used: String { "\"\(names.0)\"" }
        var requested: String { "\"\(names.1)\"" }
    }

    private static func trials(_ policy: String?, _ word: String) -> [Trial] {
        let letters = (word, word.uppercased())
        var trials = [
            Trial(title: "letters", names: letters, isSame: policy.map { $0 != "exact" })
        ]
        if policy == "unicode" {
            let umlauts = (word + "\u{E4}", word + "\u{C4}")
            trials.append(Trial(title: "non-ASCII letters", names: umlauts, isSame: true))
        }
        return trials
    }
}

/// The `id.dup` rule, in which a client requests a name that is in use.
enum IdentityDuplicate: CheckFamily {
    static let ruleID = "id.dup"
    private static let rule = "policies.second-login"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        if let reason = NameCase.reason(subject) { return notApplicable(reason) }
        let check = Check(
            CheckID(ruleID), "a name in use is refused, and its holder stays connected",
            setting: rule,
            says: "refuse", in: subject
        ) { maker in
            let word = maker.word()
            let plain = NameCase.second("the same name", word, word, isRefused: true, &maker) {
                outcome, evidence in
                switch outcome {
                case .refused: .passed
                case .given:
                    .failed(
                        Finding(
                            "taken-twice", expected: "a refusal, because the name is in use",
                            got: "both clients got the name"))
                case .other: evidence.scripted()
                }
            }
            return [plain]
        }
        return [.check(check)] + (renaming(subject).map { [.check($0)] } ?? [])
    }

    // MARK: Another name

    /// Returns the check that room members are notified when a logged-in client changes its name.
    /// To do so, the client repeats the login line that sets the name, with a new name. Returns nil
    /// if the dialect has no such line.
    private static func renaming(_ subject: Subject) -> Check? {
        guard subject.talk?.isRoom == true, subject.talk?.isOneLine == true,
            let command = NameCase.renaming(subject)
        else { return nil }
        return Check(
            CheckID(ruleID, "renamed"), "room members are notified of a new name",
            setting: "commands",
            in: subject, level: .robustness
        ) { maker in
            var script = maker.talkingScript("a new name, then a message")
            script.barrier("alice", role: .control)
            let name = maker.word()
            let text = maker.word()
            script.step(
                .stimulus,
                .send("alice", command.replacing("name", with: Array(name.utf8))))
            script.barrier("alice")
            script.speak(text, by: "alice")
            script.barrier("alice")
            script.settled("bob")
            // The scenario file expects a line with the new name, followed by the message.
            if let notice = ExpectedPattern.matching(".*\(name).*") {
                script.require(
                    [.expect("bob", .skip, notice)]
                        + script.hearing(Array(text.utf8), from: name, as: "bob"), by: "bob")
            }
            return [script.made { judgeNotice(Array(name.utf8), Array(text.utf8), &$0) }]
        }
    }

    private static func judgeNotice(
        _ name: [UInt8], _ text: [UInt8], _ evidence: inout Evidence
    ) -> Judgement {
        guard let first = evidence.stimuli.first else { return .passed }
        if ObservedAnswer(&evidence, stimulus: first).kind == .refused {
            return .observed("refuse")
        }
        for (entry, step) in evidence.entries
        where step >= first && entry.operatorName == "bob" && entry.kind == .received {
            let hasText = (entry.bytes + (entry.payload ?? [])).contains(text)
            let hasName = entry.bytes.contains(name)
            if hasName, !hasText { return evidence.scripted() }
            if hasName {
                return .failed(
                    Finding(
                        "not-notified", expected: "bob is notified of the new name",
                        got: "bob only received `\(escapedForDisplay(entry.bytes))`"))
            }
        }
        return .observed("without effect")
    }
}

/// Cases that test login names.
enum NameCase {
    /// The outcome of the second client's login.
    enum Outcome {
        case refused, given, other

        /// Records the outcome as an outcome class.
        func note(_ evidence: inout Evidence, taken: String, given: String) {
            switch self {
            case .refused: evidence.note(class: taken)
            case .given: evidence.note(class: given)
            case .other: break
            }
        }

        func observed(_ evidence: Evidence, taken: String, given: String) -> Judgement {
            switch self {
            case .refused: .observed(taken)
            case .given: .observed(given)
            case .other: evidence.scripted()
            }
        }
    }

    /// Returns the reason these cases are not possible in the dialect; nil if they are possible.
    static func reason(_ subject: Subject) -> String? {
        guard subject.bound["login"]?.takes("name") == true else {
            return "the login sends no name"
        }
        guard subject.dialect.policies["second-login"] == "refuse" else {
            return "the dialect does not say that a name in use is refused (second-login: refuse)"
        }
        return nil
    }

    /// Creates a case in which alice has one name and bob requests the other.
    ///
    /// - Parameter isRefused: Whether the scenario file requires bob to be refused.
    static func second(
        _ title: String, _ first: String, _ other: String, isRefused: Bool,
        _ maker: inout CaseMaker,
        judge: @escaping @Sendable (Outcome, inout Evidence) -> Judgement
    ) -> CheckCase {
        var script = CaseScript(title, maker.subject)
        script.logIn(CaseActor(handle: "carol", name: maker.word()))
        script.logIn(CaseActor(handle: "alice", name: first))
        script.barrier("alice", role: .control)
        script.wants("bob", name: other, isRefused: isRefused, word: maker.word())
        script.barrier("alice")
        return script.made { evidence in
            let outcome = outcome(&evidence)
            // The first holder of the name must still be connected.
            if evidence.entries.contains(where: {
                $0.entry.operatorName == "alice" && $0.entry.kind == .closedByPeer
            }) {
                return .failed(
                    Finding(
                        "closed", expected: "alice stays connected",
                        got: "alice's connection was closed"))
            }
            return judge(outcome, &evidence)
        }
    }

    /// Returns the outcome of the login that is the case's stimulus.
    static func outcome(_ evidence: inout Evidence) -> Outcome {
        let stimulus = evidence.stimuli.first ?? 0
        if evidence.result.diagnostic?.code.word == "run.refused" { return .refused }
        guard evidence.result.outcome == .failed, evidence.decidingStep == stimulus else {
            return evidence.result.outcome == .passed ? .given : .other
        }
        // The login failed. If a refusal arrived before the close, the login was refused.
        let handle = evidence.testCase.steps[stimulus].handle ?? ""
        let lines = evidence.entries.filter {
            $0.step >= stimulus && $0.entry.operatorName == handle && $0.entry.kind == .received
        }
        return lines.contains { evidence.isRefusal($0.entry) } ? .refused : .other
    }

    /// Returns the message of the login that only sets the name; nil if the login has none.
    static func renaming(_ subject: Subject) -> StepMessage? {
        guard let login = subject.bound["login"], login.sends.count > 1 else { return nil }
        let naming = login.lines.first { line in
            let signature = subject.dialect.commands.signatures[line.shape.command]
            return line.shape.direction == .fromClient && line.shape.isTyped
                && line.shape.variables.contains("name")
                && signature.arguments.count { $0.position == .field } == 1
        }
        return naming.flatMap { login.steps[$0.step].sent }
    }
}

extension CaseScript {
    /// Adds a login with the given name as the stimulus.
    mutating func wants(_ handle: String, name: String, isRefused: Bool, word: String) {
        connect(CaseActor(handle: handle, name: handle))
        var requires: [Step] = []
        if isRefused, let parts = LoginParts(subject), let refusal = subject.refusalPattern {
            fragments.append(parts.sending)
            let sends = parts.use(LoginParts.names.sends, by: handle, name: name, word: word)
            requires = [sends, .expect(handle, .skip, refusal)]
        }
        step(
            .stimulus, .use("login", as: handle, [Argument("name", .text(name))]),
            requires: requires)
    }
}
