import ArgumentParser
import Console
import Jobs
import Report

extension ColourMode: ExpressibleByArgument {}

/// The `--color` option, for commands whose output is meant for people.
struct ColourOptions: ParsableArguments {
    @Option(
        name: .customLong("color"),
        help: ArgumentHelp(
            "When to use colour; auto respects NO_COLOR and FORCE_COLOR.", valueName: "when"))
    var colour = ColourMode.auto

    var colours: Colours { Colours(colour) }

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
