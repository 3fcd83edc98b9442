public import Diagnostics
public import Scenario
public import Session

/// A scenario that was read, and the program made of it.
public struct LoadedScenario: Sendable {
    /// Its path; `-` for standard input.
    public var path: String
    /// The line that was named with it.
    public var line: Int?
    /// Its title, or its file's name.
    public var title: String
    /// Its tags.
    public var tags: [String]
    /// The dialect's name; empty where none was found.
    public var dialect: String
    /// The port that servers of the dialect listen on.
    public var defaultPort: Int?
    /// What stands in the file; nil where it has errors.
    public var file: ScenarioFile?
    /// The program; nil where there are errors.
    public var program: Program?
    /// Errors, and what the linter says.
    public var diagnostics: [Diagnostic]

    /// What every result of it says.
    func result(_ verdict: Verdict, reason: String = "", segmentation: Segmentation = .whole)
        -> ScenarioResult
    {
        ScenarioResult(
            path: path, title: title, tags: tags, segmentation: segmentation, dialect: dialect,
            verdict: verdict, reason: reason, diagnostics: diagnostics,
            rules: (file?.header.citations ?? []).map(CitedRule.init))
    }
}
