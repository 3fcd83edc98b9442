import ArgumentParser
import Foundation

/// A command with its options and subcommands, the source of help, manual pages, the reference and
/// environment variables.
struct CommandPage {
    /// The words that start the command: `linejudge dialect list`.
    let words: [String]
    let type: any ParsableCommand.Type
    let subcommands: [CommandPage]

    init(_ type: any ParsableCommand.Type, below parents: [String] = []) {
        words = parents + [type.configuration.commandName ?? ""]
        self.type = type
        subcommands = type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            .map { [words] in CommandPage($0, below: words) }
    }

    var name: String { words.joined(separator: " ") }

    var configuration: CommandConfiguration { type.configuration }

    var manual: CommandManual? { (type as? any ManualCommand.Type)?.manual }

    /// This command and all below it.
    var all: [CommandPage] { [self] + subcommands.flatMap(\.all) }

    /// The command that the arguments name, with or without `help`.
    func command(in arguments: [String]) -> CommandPage {
        guard let word = arguments.first(where: { !$0.hasPrefix("-") && $0 != "help" }),
            let next = subcommands.first(where: { $0.words.last == word }),
            let index = arguments.firstIndex(of: word)
        else { return self }
        return next.command(in: Array(arguments[(index + 1)...]))
    }

    /// The options, flags and arguments, in the order of the help; `--help` and `--version` are not
    /// among them.
    var arguments: [ArgumentInfo] {
        struct Tool: Decodable {
            let command: Command
        }
        struct Command: Decodable {
            let arguments: [ArgumentInfo]?
        }
        let json = Data(type._dumpHelp().utf8)
        guard let tool = try? JSONDecoder().decode(Tool.self, from: json) else { return [] }
        return (tool.command.arguments ?? []).filter {
            $0.shouldDisplay && !["help", "version"].contains($0.longName)
        }
    }
}

/// An option, flag or positional argument, as argument-parser describes it.
struct ArgumentInfo: Decodable {
    enum Kind: String, Decodable {
        case positional, option, flag
    }

    struct Name: Decodable {
        let kind: String
        let name: String

        /// `-v`, `--verbose`
        var text: String { kind == "short" ? "-\(name)" : "--\(name)" }
    }

    let kind: Kind
    let shouldDisplay: Bool
    let sectionTitle: String?
    let isRepeating: Bool
    let names: [Name]?
    let preferredName: Name?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let abstract: String?

    /// The name of the variable and the key of the option; nil for a positional argument.
    var longName: String? { kind == .positional ? nil : preferredName?.name }

    /// The letter of the short name.
    var shortName: Character? { names?.first { $0.kind == "short" }?.name.first }

    /// The placeholder for the value: `FILE`; nil for a flag.
    var placeholder: String? {
        kind == .flag ? nil : valueName?.uppercased()
    }

    /// `-j, --jobs COUNT`
    var synopsis: String {
        guard kind != .positional else {
            return (placeholder ?? "") + (isRepeating ? "..." : "")
        }
        let names = (names ?? []).sorted { ($0.kind == "short") && ($1.kind != "short") }
        return names.map(\.text).joined(separator: ", ") + (placeholder.map { " \($0)" } ?? "")
    }

    /// The help text with the possible values and the default.
    var description: String {
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
