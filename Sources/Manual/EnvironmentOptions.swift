import Console
import Diagnostics
import FoundationEssentials
package import Results

/// Options set by environment variables, such as `LINEJUDGE_TIMEOUT_STEP` for `--timeout-step`.
/// Options on the command line take precedence.
package struct EnvironmentOptions {
    /// The way in which a variable is converted to arguments.
    private enum Kind {
        /// The variable is the option's value.
        case value
        /// Each line of the variable is a value of the option.
        case list
        /// `1`, `true` and `yes` set the flag; `0`, `false`, `no` and an empty variable do not.
        case flag
        /// The variable is the number of times to give the flag.
        case count
    }

    /// A command-line option and the environment variables that set it.
    private struct Option {
        let name: String
        let short: Character?
        let kind: Kind
        /// Names of the variables, current name first.
        let variables: [String]

        init?(_ argument: ArgumentInfo, of command: String) {
            guard let name = argument.longName else { return nil }
            self.name = name
            short = argument.shortName
            kind =
                switch (argument.kind, argument.isRepeating) {
                case (.flag, false): .flag
                case (.flag, true): .count
                case (_, false): .value
                case (_, true): .list
                }
            let earlier = RenamedOptions.earlierNames(of: name, in: command)
            variables = ([name] + earlier).map(EnvironmentOptions.variable)
        }
    }

    /// Each command's options, keyed by the command's name without `linejudge`. Empty if no
    /// variable is set.
    private let options: [String: [Option]]
    private let environment: [String: String]

    /// Prefixes of variables that set scenario variables and secrets.
    package static let families = ["VAR_", "SECRET_"]

    /// Finds the variables that set options. If there are none, `commands` is not called.
    package init(of commands: () -> [CommandPage], in environment: [String: String]) {
        self.environment = environment.filter { name, _ in
            name.hasPrefix(Environment.prefix)
                && !Self.families.contains { name.hasPrefix(Environment.prefix + $0) }
        }
        guard !self.environment.isEmpty else {
            options = [:]
            return
        }
        options = Dictionary(
            commands().map { page in
                let name = page.words.filter { $0 != "linejudge" }.joined(separator: " ")
                return (name, page.arguments().compactMap { Option($0, of: name) })
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the name of the variable for an option: `LINEJUDGE_TIMEOUT_STEP` for `timeout-step`.
    package static func variable(_ option: String) -> String {
        Environment.prefix + option.uppercased().replacing("-", with: "_")
    }

    /// Returns the arguments with options added from the environment. Options already in the
    /// arguments are not added.
    package func complete(_ arguments: [String]) throws(CommandFailure) -> [String] {
        // The options of a subcommand must come after its name.
        let count = options[arguments.prefix(2).joined(separator: " ")] == nil ? 1 : 2
        let command = arguments.prefix(count).joined(separator: " ")
        let given = arguments.prefix { $0 != "--" }
        var added: [String] = []
        for option in options[command] ?? [] where !Self.isGiven(option, in: given) {
            guard let name = option.variables.first(where: { environment[$0] != nil }),
                let text = environment[name]
            else { continue }
            added += try Self.arguments(option, name, text)
        }
        return arguments.prefix(count) + added + arguments.dropFirst(count)
    }

    /// Returns the variable that sets an option of any command; nil if none does.
    package func variable(setting option: String) -> String? {
        options.values.joined().first { $0.name == option }?.variables
            .first { environment[$0] != nil }
    }

    /// Variables with Linejudge's prefix that match no option, each with the most similar known
    /// name, if any.
    package var unknownVariables: [(name: String, suggestion: String?)] {
        let known = Set(options.values.joined().flatMap(\.variables))
        return environment.keys.filter { !known.contains($0) }.sorted()
            .map { ($0, didYouMean($0, among: known.sorted())) }
    }

    private static func isGiven(_ option: Option, in arguments: ArraySlice<String>) -> Bool {
        arguments.contains { argument in
            if argument == "--\(option.name)" || argument.hasPrefix("--\(option.name)=") {
                return true
            }
            guard let short = option.short, argument.hasPrefix("-"), !argument.hasPrefix("--")
            else { return false }
            return argument.contains(short)
        }
    }

    private static func arguments(
        _ option: Option, _ variable: String, _ text: String
    ) throws(CommandFailure) -> [String] {
        switch option.kind {
        case .value: return text.isEmpty ? [] : ["--\(option.name)=\(text)"]
        case .list:
            return text.split(separator: "\n").map { "--\(option.name)=\($0)" }
        case .flag:
            switch text.lowercased() {
            case "1", "true", "yes", "on": return ["--\(option.name)"]
            case "", "0", "false", "no", "off": return []
            default: throw invalid(variable, text, "1 or 0")
            }
        case .count:
            guard let count = Int(text.isEmpty ? "0" : text), (0...9).contains(count) else {
                throw invalid(variable, text, "a number from 0 to 9")
            }
            return Array(repeating: "--\(option.name)", count: count)
        }
    }

    private static func invalid(
        _ variable: String, _ text: String, _ expected: String
    ) -> CommandFailure {
        CommandFailure(
            .usage, .badEnvironment, "invalid value `\(text)` for \(variable): expected \(expected)"
        )
    }
}
