package import Diagnostics
import DialectModel
import Results
package import Scenario
package import Session

/// A parsed and compiled scenario.
package struct LoadedScenario: Sendable {
    /// Path of the file; `-` for standard input.
    package var path: String
    /// Line number given on the command line; nil if none was given.
    package var line: Int?
    /// Numbers of the data rows to run; nil for all rows.
    package var selectedRows: Set<Int>?
    /// Title of the scenario, or the file name if it has no title.
    package var title: String
    package var tags: [String]
    /// Name of the dialect; empty if it could not be determined.
    package var dialect: String
    /// Path of the dialect file; nil if none was found.
    var dialectFile: String?
    /// Default port of the dialect; nil if it has none.
    package var defaultPort: Int?
    /// Syntax tree; nil if the file cannot be parsed.
    package var file: ScenarioFile?
    /// Compiled program; nil if there are errors.
    package var program: Program?
    /// Data rows, with one run per row; nil if the scenario has no data.
    package var data: DataTable?
    /// The selected data rows; nil if the scenario has no data.
    var rows: [DataRow]? {
        data?.rows.filter { row in selectedRows.map { $0.contains(row.number) } ?? true }
    }
    /// The data row for this run; nil if there is none.
    package var row: DataRow?
    /// The dialect of the program; nil if there are errors.
    var boundDialect: BoundDialect?
    /// Errors in the scenario, and findings of the linter.
    package var diagnostics: [Diagnostic]

    func result(_ verdict: Verdict, reason: String = "", segmentation: Segmentation = .whole)
        -> ScenarioResult
    {
        var result = ScenarioResult(
            path: path, title: title, tags: tags, segmentation: segmentation, dialect: dialect,
            verdict: verdict, reason: reason, diagnostics: diagnostics,
            rules: (file?.header.citations ?? []).map {
                CitedRule(
                    document: $0.document, section: $0.section, level: $0.level, quote: $0.quote)
            })
        result.row = row?.number
        result.dialectFile = dialectFile
        return result
    }
}
