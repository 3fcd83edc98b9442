import Diagnostics
package import Results

extension Comparison {
    /// Compares two load tests, or two runs.
    package static func of(
        _ one: AnyResults, _ other: AnyResults, paths: (String, String), tolerance: Double,
        confidence: Double
    ) throws -> Comparison {
        let names = (escapedForDisplay(paths.0), escapedForDisplay(paths.1))
        switch (one, other) {
        case (.load(let one), .load(let other)):
            return try .of(
                one, other, names: names, tolerance: tolerance, confidence: confidence)
        case (.run(let one), .run(let other)):
            return .of(one, other, names: names, tolerance: tolerance, confidence: confidence)
        case (.repeatedLoad, _), (_, .repeatedLoad):
            throw CommandFailure(
                .usage, .otherResults, "repeated load tests can be compared only with load tests",
                help: "compare two load tests or two runs")
        case (.check, .check):
            throw CommandFailure(
                .usage, .otherResults,
                "check results of several servers cannot be compared",
                help: "pass files with one server each, or use `linejudge report` for a matrix")
        default:
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsFile.name(paths.0)) contains \(one.kind) results, but "
                    + "\(ResultsFile.name(paths.1)) contains \(other.kind) results",
                help: "compare two load tests or two runs")
        }
    }
}
