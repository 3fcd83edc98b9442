import LineProtocol
import Results
import Scenario
import Session

/// The `half.close` rule: a client that closes its sending side after a request still receives the
/// answer.
enum HalfClose: CheckFamily {
    static let ruleID = "half.close"
    static let rule = "policies.half-close"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.has("probe") else {
            return notApplicable("the dialect has no probe")
        }
        let policy = subject.dialect.policies["half-close"]
        let check = Check(
            CheckID(ruleID),
            claims[policy ?? ""] ?? "after a half-close, the session ends",
            setting: rule, says: policy ?? "?", in: subject
        ) { maker in
            [false, true].map { made(together: $0, policy, &maker) }
        }
        return [.check(check)]
    }

    private static let claims = [
        "serve":
            "a request sent before a half-close is answered, then the server closes the connection",
        "close": "the server closes the connection after a half-close",
    ]

    private static func made(
        together: Bool, _ policy: String?, _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.script(
            together ? "a request and the FIN in one segment" : "a request, then a FIN")
        if together { script.segmentation = .finWithData }
        script.barrier("alice", role: .control)
        let word = script.ask("alice")
        script.step(.stimulus, .halfClose("alice"))
        if policy != "close", let word { script.answered("alice", word) }
        script.step(.question, .closed("alice"))
        return script.made { evidence in
            let scripted = evidence.scripted()
            guard case .failed(let finding) = scripted else {
                evidence.note(class: policy == "close" ? "close" : "serve")
                return policy == nil ? .observed("serve") : scripted
            }
            if finding.kind == "closed" { evidence.note(class: "close") }
            guard policy == nil else { return scripted }
            // A server must not leave the connection open forever, whatever its policy.
            return finding.kind == "closed" ? .observed("close") : scripted
        }
    }
}
