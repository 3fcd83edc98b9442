import FoundationEssentials

/// A command with its options and subcommands. Its help, manual page, reference and environment
/// variables are generated from it.
package struct CommandPage {
    /// The command's full name, such as `linejudge dialect list`.
    package let words: [String]
    package let abstract: String
    package let usage: String?
    package let discussion: String
    package let manual: CommandManual?
    package let subcommands: [CommandPage]
    /// Returns argument-parser's description of the options, as JSON.
    private let description: () -> String

    package init(
        _ words: [String], abstract: String, usage: String?, discussion: String,
        manual: CommandManual?, subcommands: [CommandPage], description: @escaping () -> String
    ) {
        self.words = words
        self.abstract = abstract
        self.usage = usage
        self.discussion = discussion
        self.manual = manual
        self.subcommands = subcommands
        self.description = description
    }

    package var name: String { words.joined(separator: " ") }

    /// This command and all its subcommands, at any depth.
    package var all: [CommandPage] { [self] + subcommands.flatMap(\.all) }

    /// Returns the command that the arguments refer to, with or without `help`.
    package func command(in arguments: [String]) -> CommandPage {
        guard let word = arguments.first(where: { !$0.hasPrefix("-") && $0 != "help" }),
            let next = subcommands.first(where: { $0.words.last == word }),
            let index = arguments.firstIndex(of: word)
        else { return self }
        return next.command(in: Array(arguments[(index + 1)...]))
    }

    /// Decodes the options, flags and arguments, in help order, without `--help` and `--version`.
    package func arguments() -> [ArgumentInfo] {
        /// The top level of argument-parser's description.
        struct Tool: Decodable {
            let command: Command
        }
        /// The part of argument-parser's JSON that describes a command.
        struct Command: Decodable {
            let arguments: [ArgumentInfo]?
        }
        let json = Data(description().utf8)
        guard let tool = try? JSONDecoder().decode(Tool.self, from: json) else { return [] }
        return (tool.command.arguments ?? []).filter {
            $0.shouldDisplay && !["help", "version"].contains($0.longName)
        }
    }
}

/// An option, flag or positional argument, as described by argument-parser.
package struct ArgumentInfo: Decodable {
    /// The kind of an argument: positional, option or flag.
    package enum Kind: String, Decodable {
        case positional, option, flag
    }

    /// A short or long name of an option or flag.
    package struct Name: Decodable {
        package let kind: String
        package let name: String

        /// The name with its hyphens, such as `-v` or `--verbose`.
        package var text: String { kind == "short" ? "-\(name)" : "--\(name)" }
    }

    package let kind: Kind
    package let shouldDisplay: Bool
    package let sectionTitle: String?
    package let isRepeating: Bool
    package let names: [Name]?
    package let preferredName: Name?
    package let valueName: String?
    package let defaultValue: String?
    package let allValues: [String]?
    package let abstract: String?

    /// The option's long name without leading hyphens, which determines the name of its environment
    /// variable; nil for a positional argument.
    package var longName: String? { kind == .positional ? nil : preferredName?.name }

    /// The letter of the short name; nil if there is none.
    package var shortName: Character? { names?.first { $0.kind == "short" }?.name.first }

    /// The placeholder for the value, such as `FILE`; nil for a flag.
    package var placeholder: String? {
        kind == .flag ? nil : valueName?.uppercased()
    }

    /// The option's names and placeholder, such as `-j, --jobs COUNT`.
    package var synopsis: String {
        guard kind != .positional else {
            return (placeholder ?? "") + (isRepeating ? "..." : "")
        }
        let names = (names ?? []).sorted { ($0.kind == "short") && ($1.kind != "short") }
        return names.map(\.text).joined(separator: ", ") + (placeholder.map { " \($0)" } ?? "")
    }

    /// The help text, including the possible values and the default.
    package var description: String {
        var extra: [String] = []
        if let allValues, !allValues.isEmpty {
            extra.append("values: " + allValues.joined(separator: ", "))
        }
        if let defaultValue, !defaultValue.isEmpty, kind != .flag {
            extra.append("default: \(defaultValue)")
        }
        let text = abstract ?? ""
        return extra.isEmpty ? text : "\(text) (\(extra.joined(separator: "; ")))"
    }
}
