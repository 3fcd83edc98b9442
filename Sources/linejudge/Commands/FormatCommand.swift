import ArgumentParser
import Console
import Diagnostics
import Manual
import Results
import Runner
import Scenario

/// The `linejudge fmt` command.
struct FormatCommand: ParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "fmt",
        abstract: "Format scenarios.",
        usage: "linejudge fmt [OPTIONS] FILES...",
        discussion: """
            Rewrites files in place, with one space between words, and with operators and arrows aligned \
            in columns. Comments are kept. With -, formats standard input to standard output.
            """)

    static let manual = CommandManual(
        examples: [
            "Format all scenarios in a folder": "linejudge fmt Scenarios",
            "Fail in CI if a file is not formatted": "linejudge fmt --check Scenarios",
        ],
        exitCodes: [
            .failed: "with --check: a file is not formatted",
            .unparsable: "a file does not parse; the others are formatted",
            .noInput: "no such file",
        ],
        and: [.ok, .usage, .software])

    @Flag(help: "List files that are not formatted, without changing them.")
    var check = false

    @OptionGroup var colours: ColourOptions

    @ArgumentParser.Argument(
        help: ArgumentHelp(
            "Scenario files, folders, globs, or - for standard input.", valueName: "files"),
        completion: .file(extensions: ["chat"]))
    var paths: [String]

    func run() throws {
        var unformatted = 0
        var broken: [Diagnostic] = []
        for path in try ScenarioFinder.paths(paths) {
            let source = try TextFiles.read(path)
            do {
                let text = try ScenarioFormatter.format(source)
                let isChanged = Array(text.utf8) != source.bytes
                if isChanged { unformatted += 1 }
                try put(text, for: path, isChanged: isChanged)
            } catch let error as Diagnosed {
                broken += error.diagnostics
            }
        }
        if !broken.isEmpty { throw CommandFailure(.unparsable, Diagnosed(broken)) }
        if check, unformatted > 0 { throw CommandFailure(.failed) }
    }

    private func put(_ text: String, for path: String, isChanged: Bool) throws {
        if check {
            if isChanged { Output.standard.write((path == "-" ? "<stdin>" : path) + "\n") }
        } else if path == "-" {
            Output.standard.write(text)
        } else if isChanged {
            try TextFiles.write(text, to: path)
            Output.standard.write("formatted \(escapedForDisplay(path))\n")
        }
    }
}
