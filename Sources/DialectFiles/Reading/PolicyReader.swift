import Diagnostics
import LineProtocol

/// The policies: choices that protocols leave to servers, with a name for each option.
public enum PolicyCatalogue {
    /// For each policy, its name, its possible values and the question that it answers.
    public static let policies: [(name: String, words: [String], question: String)] = [
        (
            "nul", ["pass", "strip", "replace", "cut", "reject", "close"],
            "what the server does with a NUL in a message"
        ),
        (
            "control-bytes", ["pass", "strip", "replace", "reject", "close"],
            "what the server does with control bytes other than NUL"
        ),
        (
            "invalid-utf8", ["pass", "strip", "replace", "reject", "close"],
            "what the server does with invalid UTF-8"
        ),
        (
            "unknown-command", ["error", "ignore", "close"],
            "how the server reacts to an unknown command"
        ),
        (
            "early-command", ["serve", "error", "ignore", "close"],
            "how the server reacts to a command sent before the required login"
        ),
        (
            "name-case", ["exact", "ascii", "rfc1459", "rfc1459-strict", "unicode"],
            "how names are compared"
        ),
        ("name-too-long", ["cut", "reject"], "what the server does with an overlong name"),
        (
            "second-login", ["refuse", "replace", "rename"],
            "how the server reacts to a login with a name in use"
        ),
        (
            "half-close", ["serve", "close"],
            "how the server reacts when a client closes its sending side"
        ),
        (
            "wrong-pong", ["ignore", "close"],
            "how the server reacts to a pong with the wrong token"
        ),
        ("echo", ["none", "sender"], "whether the sender receives its own message"),
    ]
}

/// Reader for a dialect's `policies:` section. A policy that the section omits is unspecified.
enum PolicyReader {
    static let table = KeyTable(
        "policies",
        PolicyCatalogue.policies.map { policy in
            Key(
                policy.name, policy.question.prefix(1).uppercased() + policy.question.dropFirst(),
                .words(policy.words + Setting.openWords), fallback: .text("?"))
        })

    static func policies(_ setting: Setting?, _ problems: Problems) -> [String: String] {
        let catalogue = PolicyCatalogue.policies
        let section = setting?.section(table)
        var result: [String: String] = [:]
        for policy in catalogue {
            guard let setting = section?[policy.name] else {
                problems.isOpen("policies.\(policy.name)")
                continue
            }
            guard case .scalar(let text, _) = setting.value.kind else {
                _ = setting.text()
                continue
            }
            if Setting.openWords.contains(text) {
                problems.isOpen(setting.path)
            } else if policy.words.contains(text) {
                result[policy.name] = text
            } else {
                let suggestion = didYouMean(text, among: policy.words).map {
                    "did you mean `\($0)`?"
                }
                problems.error(
                    .unknownWord,
                    "`\(setting.path)` must be \(listed(policy.words + ["?"])), found \(setting.value.description)",
                    at: setting.value.range, help: suggestion)
            }
        }
        return result
    }
}
