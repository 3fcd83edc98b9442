package import Diagnostics
import Results
package import Scenario
package import Session

/// A scenario that was read, and the program made of it.
package struct LoadedScenario: Sendable {
    /// Its path; `-` for standard input.
    package var path: String
    /// The line that was named with it.
    package var line: Int?
    /// Its title, or its file's name.
    package var title: String
    /// Its tags.
    package var tags: [String]
    /// The dialect's name; empty where none was found.
    package var dialect: String
    /// The port that servers of the dialect listen on.
    package var defaultPort: Int?
    /// What stands in the file; nil where it has errors.
    package var file: ScenarioFile?
    /// The program; nil where there are errors.
    package var program: Program?
    /// Errors, and what the linter says.
    package var diagnostics: [Diagnostic]

    /// What every result of it says.
    func result(_ verdict: Verdict, reason: String = "", segmentation: Segmentation = .whole)
        -> ScenarioResult
    {
        ScenarioResult(
            path: path, title: title, tags: tags, segmentation: segmentation, dialect: dialect,
            verdict: verdict, reason: reason, diagnostics: diagnostics,
            rules: (file?.header.citations ?? []).map {
                CitedRule(
                    document: $0.document, section: $0.section, level: $0.level, quote: $0.quote)
            })
    }
}
