package import Diagnostics
import DialectModel
import Results
package import Scenario
package import Session

/// A parsed and compiled scenario.
package struct LoadedScenario: Sendable {
    /// Path of the file; `-` for standard input.
    package var path: String
    /// Line given on the command line; nil if none was given.
    package var line: Int?
    /// Numbers of the rows to run; nil for all.
    package var selectedRows: Set<Int>?
    /// Title of the scenario, or the name of the file.
    package var title: String
    package var tags: [String]
    /// Name of the dialect; empty if none was found.
    package var dialect: String
    /// Path of the dialect's file; nil if none was found.
    var dialectFile: String?
    /// Default port of the dialect.
    package var defaultPort: Int?
    /// Syntax tree; nil if the file cannot be parsed.
    package var file: ScenarioFile?
    /// Compiled program; nil if there are errors.
    package var program: Program?
    /// Rows for which the scenario runs; nil if it runs once.
    package var data: DataTable?
    /// The rows of `data` that are selected.
    var rows: [DataRow]? {
        data?.rows.filter { row in selectedRows.map { $0.contains(row.number) } ?? true }
    }
    /// The row that this run uses; nil if there is none.
    package var row: DataRow?
    /// The dialect of the program; nil if there are errors.
    var boundDialect: BoundDialect?
    /// Errors, and findings of the linter.
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
