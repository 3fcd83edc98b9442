package import Diagnostics

/// Parser for the scenario language.
package enum ScenarioParser {
    /// A parsed scenario and its diagnostics. If the diagnostics contain an error, the parsed file
    /// is incomplete and must not be run.
    package struct Outcome: Sendable {
        package var file: ScenarioFile
        /// The errors, in source order.
        package var diagnostics: [Diagnostic]
    }

    /// The parsed steps of a dialect's behaviour and their diagnostics.
    package struct FragmentOutcome: Sendable {
        package var steps: [Step]
        /// The errors, in source order.
        package var diagnostics: [Diagnostic]
    }

    /// Parses a scenario, continuing after errors.
    package static func parse(_ source: SourceText) -> Outcome {
        var parser = Parser(source: source, text: TextLines(source), isBehaviour: false)
        parser.run()
        let file = ScenarioFile(
            source: source, header: parser.header.header, fragments: parser.fragments,
            steps: parser.frames[0].steps, bodyCitations: parser.bodyCitations,
            comments: parser.comments)
        var list = parser.list
        var checker = SemanticChecker(file)
        let found = checker.check(isComplete: list.diagnostics.isEmpty)
        for diagnostic in found { list.add(diagnostic) }
        return Outcome(file: file, diagnostics: list.sorted)
    }

    /// Parses a scenario; throws all diagnostics if there is an error.
    package static func file(from source: SourceText) throws(Diagnosed) -> ScenarioFile {
        let outcome = parse(source)
        if outcome.diagnostics.hasErrors { throw Diagnosed(outcome.diagnostics) }
        return outcome.file
    }

    /// Parses steps that are embedded in another file, such as a behaviour in a dialect file. Steps
    /// for `self` or without an operator belong to the operator that runs them.
    ///
    /// - Parameters:
    ///   - text: the steps, already decoded from the format of the surrounding file.
    ///   - source: the surrounding file, which source ranges refer to.
    ///   - line: the line of `source` where the text starts, from 1. Consecutive lines of the text
    ///     must be consecutive lines of `source`.
    ///   - column: the byte column where each line of the text starts, from 1.
    package static func parseFragment(
        _ text: [UInt8], in source: SourceText, line: Int, column: Int
    ) -> FragmentOutcome {
        let lines = TextLines(text, in: source, line: line, column: column)
        var parser = Parser(source: source, text: lines, isBehaviour: true)
        parser.run()
        return FragmentOutcome(steps: parser.frames[0].steps, diagnostics: parser.list.sorted)
    }
}
