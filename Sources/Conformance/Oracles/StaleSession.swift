import DialectModel
import Diagnostics
import LineProtocol
import Results
import Session

/// G: after our close the same name can be taken again within a time.
enum StaleSession {
    /// How long a server may take to free a name, in seconds.
    static let secondsMax = 5

    /// The name that could not be taken again; nil where that is not what failed.
    static func judge(_ evidence: Evidence) -> Judgement? {
        guard evidence.result.outcome == .failed, let step = evidence.decidingStep,
            evidence.play.steps[step].text.hasPrefix("name ")
        else { return nil }
        return .failed(
            Finding(
                "staleSession", expected: "the name is free again within 5 s",
                got: evidence.result.diagnostic?.message ?? "it is not"))
    }
}

extension Subject {
    /// Whether a login tells that a name is free: not where nobody logs in by a name, or a second login takes the
    /// name over.
    var tellsFreeNames: Bool {
        guard let login = bound["login"] else { return false }
        return login.takes("name") && login.uses(variable: "name")
            && dialect.policies["second-login"] != "replace"
    }
}

extension CaseScript {
    /// G: the name can be taken again after its holder has gone. Where nothing tells it, that is left out.
    mutating func freed(_ handle: String) {
        guard subject.tellsFreeNames else { return }
        step(.question, "name \"\(actor(handle).name)\" free  within \(StaleSession.secondsMax)s")
    }
}
