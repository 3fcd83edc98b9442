import DialectModel
import ArgumentParser
import Diagnostics
import DialectFiles
import Foundation
import LineProtocol
import Report
import Results
import Runner

/// `linejudge dialect list`
struct DialectListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the dialects that can be named.")

    @OptionGroup var colours: ColourOptions

    @Argument(help: "A folder with dialects of your own (by default this one).")
    var folder: String = ""

    func run() {
        let style = colours.style(for: .standard)
        let listings = DialectLibrary.listings(beside: folder)
        let width = listings.map { ColumnText.width($0.name) }.max() ?? 0
        let margin = String(repeating: " ", count: width + 2)
        let room = Output.standard.columns.map { max(20, $0 - margin.count) }
        for listing in listings {
            let name = style(ColumnText.padded(listing.name, to: width), .bold)
            let summary = listing.summary.isEmpty ? "no summary" : listing.summary
            let shown = escapedForDisplay(summary)
            let lines =
                room.map { ColumnText.lines(shown, columns: $0) } ?? [shown]
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

/// `linejudge dialect show`
struct DialectShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show how a dialect speaks: its framing, fields, commands.")

    @Flag(help: "Print the dialect as a file instead, to start from.")
    var yaml = false

    @Argument(help: ArgumentHelp("NAME, FILE, or either with +PROFILE.", valueName: "name"))
    var dialect: String

    func run() throws {
        let file = try DialectLibrary.find(dialect, beside: "")
        if !yaml {
            Output.standard.write(DialectSummary.text(file.dialect, profiles: file.profiles))
        } else if file.dialect.profile == nil {
            Output.standard.write(file.source.bytes)
        } else {
            Output.standard.write(DialectWriter.yaml(file.dialect))
        }
    }
}

/// `linejudge dialect lint`
struct DialectLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Check dialects.",
        discussion: """
            Names of built-in dialects do as well.

            Exit codes:
              0   nothing found, or notes only
              1   there are warnings
              65  a dialect does not parse, or the scenario text in it does not
              66  there is no such file or dialect
            """)

    @OptionGroup var colours: ColourOptions

    @Argument(help: "Dialects: FILE, NAME, or - for standard input.")
    var files: [String]

    func run() throws {
        let found = try files.flatMap(Self.diagnostics)
        try Findings(found, style: colours.style(for: .standard)).tell(fileCount: files.count)
    }

    /// What is to be said about a dialect: its file, and the scenario text in it, under every profile.
    static func diagnostics(_ word: String) throws -> [Diagnostic] {
        let source = try source(word)
        let outcome = DialectReader.read(source)
        guard let dialect = outcome.dialect else { return outcome.diagnostics }
        let dialects =
            [dialect]
            + outcome.profiles.compactMap { DialectReader.read(source, profile: $0).dialect }
        var list: [Diagnostic] = []
        let bound = dialects.map { BoundDialect($0, source: source) }
        for diagnostic in bound.flatMap({ $0.diagnostics + $0.lint })
        where !list.contains(diagnostic) {
            list.append(diagnostic)
        }
        return outcome.diagnostics + list + DialectLint.lint(dialect, source: source)
    }

    private static func source(_ word: String) throws -> SourceText {
        // What is there as a file is a file, whatever it is called.
        if word == "-" || FileManager.default.fileExists(atPath: word) {
            return try TextFiles.read(word)
        }
        return try DialectLibrary.source(word, beside: "").source
    }
}

/// `linejudge dialect explain`
struct DialectExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say what a line means: its fields, its command, its arguments.")

    /// Who sends a line.
    enum Side: String, ExpressibleByArgument, CaseIterable {
        case client, server
    }

    @Option(
        help: ArgumentHelp("The dialect: NAME, FILE, or either with +PROFILE.", valueName: "name"))
    var dialect = "livechat"

    @Option(
        help: ArgumentHelp(
            "Who sends the line; by default the command tells.", valueName: "side"))
    var from: Side?

    @Argument(help: "The line, in quotes; or - for the lines of standard input.")
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

/// `linejudge dialect new`
struct DialectNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a dialect to begin with, on standard output.",
        discussion: "linejudge dialect new mychat --from recorded.txt > mychat.yaml")

    @Option(
        help: ArgumentHelp(
            "Guess from lines that a server and its clients have sent (- for standard input).",
            valueName: "file"))
    var from: String?

    @Argument(help: "Its name: letters, digits, - and _.")
    var name: String

    func run() throws {
        guard DialectTemplate.isName(name) else {
            throw CommandFailure(
                .usage, .badOption, "`\(escapedForDisplay(name))` is not a name for a dialect",
                help: "a name has letters, digits, - and _, a letter first, such as `mychat`")
        }
        guard let from else {
            Output.standard.write(DialectTemplate.text(name: name))
            return
        }
        let sample = try TextFiles.read(from)
        Output.standard.write(DialectGuess.yaml(name: name, lines: sample.bytes))
    }
}
