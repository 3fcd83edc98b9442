import ArgumentParser
import Diagnostics
import Report
import Results
import Runner
import Scenario

/// `linejudge fmt`
struct FormatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fmt",
        abstract: "Format scenarios.",
        usage: "linejudge fmt [--check] FILES",
        discussion: """
            Writes each file anew if formatting changes it. Comments stay; formatting twice changes \
            nothing.

            Exit codes:
              0   everything is formatted
              1   --check: a file is not formatted
              64  the command line is wrong
              65  a file does not parse; the others are formatted
              66  there is no such file
              70  a file cannot be written
            """)

    @Flag(help: "Change nothing; list the files that are not formatted.")
    var check = false

    @OptionGroup var colours: ColourOptions

    @ArgumentParser.Argument(
        help: ArgumentHelp(
            "Files, folders, globs, or - for standard input.", valueName: "files"))
    var paths: [String]

    func run() throws {
        var unformatted = 0
        var broken: [Diagnostic] = []
        for path in try TextFiles.scenarios(paths) {
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
