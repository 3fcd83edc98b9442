import ArgumentParser
import Console
import Jobs
import Report

/// A value of `--color`: `auto`, `always` or `never`.
struct ColourArgument: ExpressibleByArgument {
    static var allValueStrings: [String] { ColourMode.allCases.map(\.rawValue) }

    let mode: ColourMode

    init?(argument: String) {
        guard let mode = ColourMode(rawValue: argument) else { return nil }
        self.mode = mode
    }

    init(_ mode: ColourMode) { self.mode = mode }

    var defaultValueDescription: String { mode.rawValue }
}

/// The `--color` option, for commands whose output is meant for people.
struct ColourOptions: ParsableArguments {
    @Option(
        name: .customLong("color"),
        help: ArgumentHelp(
            "When to use colour; auto respects NO_COLOR and FORCE_COLOR.", valueName: "when"),
        completion: .list(ColourArgument.allValueStrings))
    var colour = ColourArgument(.auto)

    var colours: Colours { Colours(colour.mode) }

    /// Returns the text style for an output.
    func style(for output: Output) -> Style { colours.style(for: output) }
}

/// Options of commands that adapt their output to the terminal and to CI systems.
struct ConsoleOptions: ParsableArguments {
    @OptionGroup var colours: ColourOptions

    @Flag(
        help: """
            Ignore CI variables: no GitHub annotations, log groups or step summary, and progress as on \
            a terminal.
            """)
    var noCi = false

    /// The manual's paragraph about CI systems.
    static let details = """
        With `GITHUB_ACTIONS=true`, failures also become annotations at the scenario line (an \
        unreachable server is a single error), the log is folded into groups, and a summary is \
        added to `$GITHUB_STEP_SUMMARY`. Text from a server cannot act as a workflow command: `::` \
        at the start of a line is written `\\u003A:`, and `##[` is written `#\\u0023[`. On other \
        CI systems (`CI=true`), progress is written as plain lines, without colour unless \
        `FORCE_COLOR` or `--color` asks for it. `--no-ci` turns all of this off, except that text \
        from a server still cannot act as a command.
        """

    /// Returns the output of a job that writes these reports.
    func output<Form>(
        _ reports: [RequestedReport<Form>], standard: Form? = nil, isQuiet: Bool
    ) -> JobOutput<Form> {
        let system = noCi ? nil : CISystem(environment: Environment.ofProcess)
        return JobOutput(
            ReportOutputs(reports, standard: standard), colours: colours.colours,
            log: CILog(system?.githubJob), isQuiet: isQuiet)
    }
}
