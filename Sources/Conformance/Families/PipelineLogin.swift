import LineProtocol
import Results
import Scenario
import Session

/// The `pipe.preauth` rule, in which a client sends its complete login and the first command in one
/// write.
enum PipelineLogin: CheckFamily {
    static let ruleID = "pipe.preauth"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let parts = LoginParts(subject), subject.has("probe") else {
            return notApplicable("the dialect has no login, or no probe")
        }
        guard parts.bytes(name: "alice", word: "word", subject) != nil else {
            return notApplicable("the login depends on what the server sends")
        }
        let check = Check(
            CheckID(ruleID), "a command in the same write as the login is executed after it",
            setting: "behaviours.login", in: subject
        ) { maker in [made(parts, &maker)].compactMap(\.self) }
        return [.check(check)]
    }

    private static func made(_ parts: LoginParts, _ maker: inout CaseMaker) -> CheckCase? {
        let subject = maker.subject
        // Another client's login is the control.
        var script = maker.script("the login and the probe in one write", ["bob"])
        script.barrier("bob", role: .control)
        let alice = CaseActor(handle: "alice", name: maker.word())
        let word = maker.word()
        guard let login = parts.bytes(name: alice.name, word: word, subject),
            let probe = AliveFragment(subject)?.wire(word: "first", subject)
        else { return nil }
        script.connect(alice)
        if parts.hasRules {
            script.fragments.append(parts.rules)
            script.step(.setup, parts.use(LoginParts.names.rules, by: alice, word: word))
        }
        script.fragments.append(parts.answers)
        script.send(.stimulus, login + probe.bytes, by: "alice")
        script.step(.question, parts.use(LoginParts.names.answers, by: alice, word: word))
        script.answered("alice", "first")
        var testCase = script.made()
        testCase.keepsBytes = true
        return testCase
    }
}
