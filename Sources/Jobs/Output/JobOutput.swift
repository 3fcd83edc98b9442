import Console
import Diagnostics
import Report

/// The output of a job: text for people, reports, and the log of a CI system.
package struct JobOutput<Form: CIReportForm>: Sendable {
    package let reports: ReportOutputs<Form>
    package let colours: Colours
    package let log: CILog
    /// True to show neither progress nor notes.
    package let isQuiet: Bool

    package init(
        _ reports: ReportOutputs<Form>, colours: Colours, log: CILog, isQuiet: Bool
    ) {
        self.reports = reports
        self.colours = colours
        self.log = log
        self.isQuiet = isQuiet
    }

    var people: Output { reports.outputForPeople }

    /// Text style for the output for people.
    var style: Style { colours.style(for: people) }

    func show(_ diagnostics: [Diagnostic]) { colours.show(diagnostics) }

    /// Writes the reports of the results, and shows the results in the CI system.
    ///
    /// - Parameter output: The output for annotations; nil for the output for people.
    func finish(_ results: Form.Results, in output: Output? = nil) throws {
        try reports.write(results, paths: log.paths)
        if !reports.annotates {
            try log.annotate(in: output ?? people) { try Form.github.text(results, paths: $0) }
        }
        try log.summarise { try Form.markdown.text(results) }
    }
}
