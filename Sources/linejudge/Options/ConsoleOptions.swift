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

/// Options of commands that adapt their output to CI systems.
struct ConsoleOptions: ParsableArguments {
    @Flag(
        help: """
            Ignore CI variables: no GitHub annotations, log groups or step summary, and progress as on \
            a terminal.
            """)
    var noCi = false

    /// Returns the output of a job that writes these reports.
    func output<Form>(
        _ reports: [RequestedReport<Form>], standard: Form? = nil, _ colours: ColourOptions,
        isQuiet: Bool
    ) -> JobOutput<Form> {
        let system = noCi ? nil : CISystem(environment: Environment.ofProcess)
        return JobOutput(
            ReportOutputs(reports, standard: standard), colours: colours.colours,
            log: CILog(system?.githubJob), isQuiet: isQuiet)
    }
}
