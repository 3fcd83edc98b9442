import Console
import DialectModel
import ArgumentParser
import Diagnostics
import DialectFiles
import FoundationEssentials
import Jobs
import LineProtocol
import Manual
import Report
import Results

/// The `linejudge dialect list` command.
struct DialectListCommand: ParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the available dialects.",
        usage: "linejudge dialect list [OPTIONS] [FOLDER]")

    static let manual = CommandManual(
        examples: [
            "List the built-in dialects and those in the working directory":
                "linejudge dialect list",
            "List the built-in dialects and those in another folder":
                "linejudge dialect list dialects",
        ])

    @OptionGroup var colours: ColourOptions

    @Argument(
        help: "Folder with your own dialects (default: the working directory).",
        completion: .directory)
    var folder: String = ""

    func run() {
        let style = colours.style(for: .standard)
        let listings = DialectLibrary.listings(beside: folder)
        let width = listings.map { ColumnText.width($0.name) }.max() ?? 0
        let margin = String(repeating: " ", count: width + 2)
        let columns = Output.standard.columns.map { max(20, $0 - margin.count) }
        for listing in listings {
            let name = style(ColumnText.padded(listing.name, to: width), .bold)
            let summary = listing.summary.isEmpty ? "no summary" : listing.summary
            let shown = escapedForDisplay(summary)
            let lines = columns.map { ColumnText.lines(shown, columns: $0) } ?? [shown]
            Output.standard.write("\(name)  \(lines.joined(separator: "\n" + margin))\n")
            if !listing.profiles.isEmpty {
                let profiles = listing.profiles.map { "\(listing.name)+\($0)" }
                let text = "profiles: " + profiles.joined(separator: ", ")
                Output.standard.write(margin + style(text, .dim) + "\n")
            }
            if let path = listing.path {
                Output.standard.write(margin + style(escapedForDisplay(path), .dim) + "\n")
            }
        }
    }
}

/// The `linejudge dialect show` command.
struct DialectShowCommand: ParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a dialect's framing, fields and commands.",
        usage: "linejudge dialect show [OPTIONS] NAME")

    static let manual = CommandManual(
        examples: [
            "Show IRC as ngircd speaks it": "linejudge dialect show irc+ngircd",
            "Copy a built-in dialect to modify it":
                "linejudge dialect show irc --yaml > mychat.yaml",
        ], and: [.ok, .usage, .unparsable, .noInput])

    @Flag(help: "Print the dialect as a YAML file, with the profile applied.")
    var yaml = false

    @Argument(
        help: ArgumentHelp("Dialect: NAME, FILE, or either with +PROFILE.", valueName: "name"),
        completion: .dialect)
    var dialect: String

    func run() throws {
        let file = try DialectLibrary.find(dialect, beside: "")
        if !yaml {
            Output.standard.write(DialectSummary.text(file.dialect, profiles: file.profiles))
        } else if file.dialect.profile == nil {
            Output.standard.write(file.source.file.bytes)
        } else {
            Output.standard.write(DialectWriter.yaml(file.dialect))
        }
    }
}

/// The `linejudge dialect lint` command.
struct DialectLintCommand: ParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Find mistakes in dialects.",
        usage: "linejudge dialect lint [OPTIONS] FILES...",
        discussion: """
            Checks each dialect with each of its profiles, including the scenario text of its behaviours.
            """)

    static let manual = CommandManual(
        examples: [
            "Lint a dialect file": "linejudge dialect lint mychat.yaml",
            "Lint a built-in dialect": "linejudge dialect lint irc",
        ],
        exitCodes: [
            .ok: "no errors or warnings", .failed: "there are warnings",
            .unparsable: "a dialect, or the scenario text in it, does not parse",
            .noInput: "no such file or dialect",
        ], and: [.usage])

    @OptionGroup var colours: ColourOptions

    @Argument(
        help: "Dialects: FILE, NAME, or - for standard input.",
        completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]

    func run() throws {
        let found = try files.flatMap(Self.diagnostics)
        try FindingsPrinter(found, style: colours.style(for: .standard))
            .show(fileCount: files.count)
    }

    /// Returns the findings about a dialect, including those in its embedded scenario text.
    static func diagnostics(_ word: String) throws -> [Diagnostic] {
        BoundDialect.findings(in: try source(word))
    }

    private static func source(_ word: String) throws -> SourceText {
        // A file takes precedence over a built-in dialect of the same name.
        if word == "-" || FileManager.default.fileExists(atPath: word) {
            return try TextFiles.read(word)
        }
        return try DialectLibrary.source(word, beside: "").source
    }
}

/// The `linejudge dialect explain` command.
struct DialectExplainCommand: ParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a line: its fields, command and arguments.",
        usage: "linejudge dialect explain [OPTIONS] LINE")

    static let manual = CommandManual(
        examples: [
            "Explain an IRC line":
                "linejudge dialect explain --dialect irc 'PRIVMSG #room :hello, world'",
            "Explain the lines in a file as lines from the server":
                "linejudge dialect explain --dialect irc --from server - < received.txt",
        ], and: [.ok, .usage, .unparsable, .noInput])

    /// The sender of the line to explain.
    enum Side: String, ExpressibleByArgument, CaseIterable {
        case client, server
    }

    @Option(
        help: ArgumentHelp("Dialect: NAME, FILE, or either with +PROFILE.", valueName: "name"),
        completion: .dialect)
    var dialect = "livechat"

    @Option(
        help: ArgumentHelp(
            "Who sends the line. Derived from the command by default.", valueName: "side"))
    var from: Side?

    @Argument(help: "Line in quotes, or - to read lines from standard input.")
    var line: String

    func run() throws {
        let file = try DialectLibrary.find(dialect, beside: "")
        let explainer = LineExplainer(file.dialect)
        let direction: Direction? =
            switch from {
            case .client: .fromClient
            case .server: .fromServer
            case nil: nil
            }
        for (index, bytes) in try lines().enumerated() {
            if index > 0 { Output.standard.write("\n") }
            Output.standard.write(explainer.explain(bytes, direction: direction).text)
        }
    }

    private func lines() throws(CommandFailure) -> [[UInt8]] {
        guard line == "-" else { return [Array(line.utf8)] }
        let source = try TextFiles.read(line)
        let lines = (1...source.lineCount).map { Array(source.bytes(in: source.range(ofLine: $0))) }
        return lines.last?.isEmpty == true ? lines.dropLast() : lines
    }
}

/// The `linejudge dialect new` command.
struct DialectNewCommand: ParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Print a template for a new dialect.",
        usage: "linejudge dialect new [OPTIONS] NAME")

    static let manual = CommandManual(
        examples: [
            "Start a dialect from a template": "linejudge dialect new mychat > mychat.yaml",
            "Guess a dialect from lines that a server and its clients have sent":
                "linejudge dialect new mychat --from recorded.txt > mychat.yaml",
        ], and: [.ok, .usage, .noInput])

    @Option(
        help: ArgumentHelp(
            "Guess the dialect from the lines in this file (- for standard input); they may start with C: or S: for their sender.",
            valueName: "file"), completion: .file())
    var from: String?

    @Argument(help: "Dialect name: letters, digits, - and _.")
    var name: String

    func run() throws {
        guard DialectTemplate.isName(name) else {
            throw CommandFailure(
                .usage, .badOption, "invalid dialect name `\(escapedForDisplay(name))`",
                help: "start with a letter and use letters, digits, - and _, such as `mychat`")
        }
        guard let from else {
            Output.standard.write(DialectTemplate.text(name: name))
            return
        }
        let sample = try TextFiles.read(from)
        Output.standard.write(DialectGuess.yaml(name: name, lines: sample.bytes))
    }
}
