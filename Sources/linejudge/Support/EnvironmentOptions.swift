import Diagnostics
import Foundation
import Results
import Runner

/// Options from the environment: `--timeout-step` is also `LINEJUDGE_TIMEOUT_STEP`. What is typed counts
/// more.
enum EnvironmentOptions {
    /// How a variable's text becomes an option.
    enum Kind {
        /// The text is the value.
        case value
        /// Each line of the text is a value.
        case list
        /// `1`, `true` and `yes` set it; `0`, `false`, `no` and the empty text do not.
        case flag
        /// A number: how often the flag is given.
        case count
    }

    /// The options of each command.
    static let options: [String: [(name: String, kind: Kind)]] = [
        "run": [
            ("server", .value), ("exec", .value), ("dialect", .value), ("software", .value),
            ("tls-ca", .value), ("insecure", .flag), ("filter", .list), ("tag", .list),
            ("last-failed", .flag), ("list", .flag), ("dry-run", .flag), ("jobs", .value),
            ("retry", .value), ("shuffle", .flag), ("fail-fast", .flag), ("segment", .list),
            ("var", .list), ("timeout-step", .value), ("timeout-file", .value), ("seed", .value),
            ("watch", .flag), ("format", .value), ("report", .list), ("transcript", .flag),
            ("schema", .value), ("quiet", .flag), ("verbose", .count), ("color", .value),
        ],
        "load": [
            ("server", .value), ("dialect", .value), ("operators", .value), ("room-size", .value),
            ("model", .value), ("rate", .value), ("pace", .value), ("think", .value),
            ("mix", .value), ("kind", .list), ("scenario", .list), ("var", .list),
            ("source", .list), ("tls-ca", .value), ("insecure", .flag), ("abort-on-fail", .value),
            ("text-bytes", .value), ("for", .value), ("ramp", .value),
            ("warmup", .value), ("drain", .value), ("login-timeout", .value),
            ("quantum", .value), ("workers", .value), ("processes", .value),
            ("shard", .value), ("start-at", .value), ("reset", .flag), ("seed", .value),
            ("threshold", .list), ("find-rate", .list), ("metrics", .value),
            ("schema", .value), ("report", .list), ("quiet", .flag), ("color", .value),
        ],
        "report": [
            ("format", .value), ("report", .list), ("exit-code", .flag), ("color", .value),
        ],
        "compare": [
            ("tolerance", .value), ("confidence", .value), ("format", .value), ("color", .value),
        ],
        "fmt": [("check", .flag), ("color", .value)],
        "lint": [("dialect", .value), ("report", .list), ("color", .value)],
        "serve": [
            ("dialect", .value), ("listen", .value), ("ping-expiry", .value), ("history", .value),
            ("max-connections", .value), ("max-per-address", .value), ("rate", .value),
            ("send-queue", .value), ("metrics", .value), ("fault", .list),
            ("list-faults", .flag), ("seed", .value), ("tls-cert", .value), ("tls-key", .value),
            ("verbose", .count),
        ],
        "check": [
            ("server", .list), ("exec", .list), ("name", .list), ("dialect", .value),
            ("software", .list), ("characterise", .value), ("lock", .value),
            ("tls-ca", .value), ("insecure", .flag), ("only", .list), ("skip", .list),
            ("list", .flag), ("jobs", .value), ("repeat", .value), ("var", .list), ("seed", .value),
            ("strict", .flag), ("out", .value), ("report", .list), ("verbose", .flag),
            ("quiet", .flag), ("color", .value),
        ],
        "record": [
            ("listen", .value), ("server", .value), ("dialect", .value), ("output", .value),
            ("title", .value), ("once", .flag), ("for", .value), ("no-replay", .flag),
            ("keep-pauses", .flag), ("secret", .list), ("tls-ca", .value), ("insecure", .flag),
            ("tls-cert", .value), ("tls-key", .value), ("quiet", .flag),
        ],
        "decode": [
            ("dialect", .value), ("port", .list), ("overlap", .value), ("follow", .flag),
            ("bpf", .value), ("interface", .value), ("snap-length", .value),
            ("promiscuous", .flag), ("for", .value), ("count", .value),
            ("command", .list), ("operator", .list), ("connection", .list), ("from", .value),
            ("to", .value), ("as", .value), ("time", .value), ("stats", .flag),
            ("secrets", .flag), ("anonymise", .flag), ("strict", .flag), ("quiet", .flag),
            ("color", .value), ("output", .value), ("title", .value), ("keep-pauses", .flag),
            ("secret", .list), ("server", .value), ("verify", .flag), ("tls-ca", .value),
            ("insecure", .flag),
        ],
        "dialect list": [("color", .value)],
        "dialect show": [("yaml", .flag)],
        "dialect lint": [("color", .value)],
        "dialect explain": [("dialect", .value), ("from", .value)],
        "dialect new": [("from", .value)],
    ]

    /// What variables of their own begin with: `--var` and secrets.
    private static let families = ["VAR_", "SECRET_"]

    /// The arguments, with the options from the environment that were not typed.
    static func complete(
        _ arguments: [String], from environment: [String: String]
    ) throws(CommandFailure) -> [String] {
        // A command below another one takes its options after its own name.
        let hasSubcommands = options.keys.contains { name in
            arguments.first.map { name.hasPrefix($0 + " ") } ?? false
        }
        let head = hasSubcommands ? min(2, arguments.count) : 1
        let command = arguments.prefix(head).joined(separator: " ")
        guard let options = options[command] else { return arguments }
        let typed = arguments.prefix { $0 != "--" }
        var added: [String] = []
        for option in options {
            guard let text = environment[variable(option.name)],
                !isTyped(option.name, in: typed)
            else { continue }
            added += try self.arguments(option, text)
        }
        return arguments.prefix(head) + added + arguments.dropFirst(head)
    }

    /// The variables that are set and stand for an option.
    static func names(
        in environment: [String: String]
    ) -> [(option: String, variable: String)] {
        Set(options.values.joined().map(\.name)).sorted()
            .map { ($0, variable($0)) }.filter { environment[$0.1] != nil }
    }

    /// The variables that look like ours and stand for nothing, and what may be meant.
    static func unknownVariables(
        in environment: [String: String]
    ) -> [(name: String, meant: String?)] {
        let known = Set(options.values.joined().map { variable($0.name) })
        return environment.keys.filter { name in
            name.hasPrefix(Environment.prefix) && !known.contains(name)
                && !families.contains { name.hasPrefix(Environment.prefix + $0) }
        }.sorted().map { ($0, didYouMean($0, among: known.sorted())) }
    }

    private static func variable(_ option: String) -> String {
        Environment.prefix + option.uppercased().replacing("-", with: "_")
    }

    private static func isTyped(_ option: String, in arguments: ArraySlice<String>) -> Bool {
        let short = ["quiet": "q", "verbose": "v"][option].map(Character.init)
        return arguments.contains { argument in
            if argument == "--\(option)" || argument.hasPrefix("--\(option)=") { return true }
            guard let short, argument.hasPrefix("-"), !argument.hasPrefix("--") else {
                return false
            }
            return argument.contains(short)
        }
    }

    private static func arguments(
        _ option: (name: String, kind: Kind), _ text: String
    ) throws(CommandFailure) -> [String] {
        switch option.kind {
        case .value: return text.isEmpty ? [] : ["--\(option.name)=\(text)"]
        case .list:
            return text.split(separator: "\n").map { "--\(option.name)=\($0)" }
        case .flag:
            switch text.lowercased() {
            case "1", "true", "yes", "on": return ["--\(option.name)"]
            case "", "0", "false", "no", "off": return []
            default: throw bad(option.name, text, "1 or 0")
            }
        case .count:
            guard let count = Int(text.isEmpty ? "0" : text), (0...9).contains(count) else {
                throw bad(option.name, text, "a number from 0 to 9")
            }
            return Array(repeating: "--\(option.name)", count: count)
        }
    }

    private static func bad(_ option: String, _ text: String, _ expected: String) -> CommandFailure
    {
        CommandFailure(
            .usage, .badEnvironment, "\(variable(option)) is `\(text)`; expected \(expected)")
    }
}
