import Diagnostics
import LineProtocol

/// What protocols leave to their servers, and the words for what servers do.
public enum PolicyCatalogue {
    /// Policy, its words, and the question that it answers.
    public static let policies: [(name: String, words: [String], question: String)] = [
        ("nul", ["pass", "strip", "replace", "cut", "reject", "close"], "a NUL in a text"),
        ("control-bytes", ["pass", "strip", "replace", "reject", "close"], "other control bytes"),
        (
            "invalid-utf8", ["pass", "strip", "replace", "reject", "close"],
            "bytes that are not UTF-8"
        ),
        ("unknown-command", ["error", "ignore", "close"], "a command it does not know"),
        (
            "early-command", ["serve", "error", "ignore", "close"],
            "a command that needs a login, before it"
        ),
        (
            "name-case", ["exact", "ascii", "rfc1459", "rfc1459-strict", "unicode"],
            "which names are equal"
        ),
        ("name-too-long", ["cut", "reject"], "a name over the maximum"),
        ("second-login", ["refuse", "replace", "rename"], "a name that is in use"),
        ("half-close", ["serve", "close"], "a client that ends its sending side"),
        ("wrong-pong", ["ignore", "close"], "an answer to its ping with another word"),
        ("echo", ["none", "sender"], "whether a sender hears what it says in a room"),
    ]
}

/// Reads `policies:`. What it does not state is open.
struct PolicyReader {
    static func policies(_ setting: Setting?, _ problems: Problems) -> [String: String] {
        let catalogue = PolicyCatalogue.policies
        let section = setting?.section(catalogue.map(\.name))
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
            if text == "?" || text == "open" {
                problems.isOpen(setting.path)
            } else if policy.words.contains(text) {
                result[policy.name] = text
            } else {
                let meant = didYouMean(text, among: policy.words).map { "did you mean `\($0)`?" }
                problems.error(
                    .unknownWord,
                    "`\(setting.path)` is \(listed(policy.words + ["?"])), found \(setting.value.description)",
                    at: setting.value.range, help: meant)
            }
        }
        return result
    }
}
