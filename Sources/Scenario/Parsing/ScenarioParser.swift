package import Diagnostics

/// Reads scenarios.
package enum ScenarioParser {
    /// A scenario and what is to be said about it; with an error among the diagnostics the file
    /// holds what could be understood and must not be played.
    package struct Outcome: Sendable {
        /// What was read.
        package var file: ScenarioFile
        /// Errors, in the order of the text.
        package var diagnostics: [Diagnostic]
    }

    /// Steps for the dialect's behaviours.
    package struct FragmentOutcome: Sendable {
        /// What was read.
        package var steps: [Step]
        /// Errors, in the order of the text.
        package var diagnostics: [Diagnostic]
    }

    /// Reads a scenario, going on after errors.
    package static func parse(_ source: SourceText) -> Outcome {
        var parser = Parser(source: source, text: TextLines(source), isBehaviour: false)
        parser.run()
        let file = ScenarioFile(
            source: source, header: parser.header.header, fragments: parser.fragments,
            steps: parser.frames[0].steps, bodyCitations: parser.bodyCitations,
            comments: parser.comments)
        var list = parser.list
        var checker = MeaningChecker(file)
        let found = checker.check(isComplete: list.diagnostics.isEmpty)
        for diagnostic in found { list.add(diagnostic) }
        return Outcome(file: file, diagnostics: list.sorted)
    }

    /// Reads a scenario, or throws everything that is wrong with it.
    package static func file(from source: SourceText) throws(Diagnosed) -> ScenarioFile {
        let outcome = parse(source)
        if outcome.diagnostics.hasErrors { throw Diagnosed(outcome.diagnostics) }
        return outcome.file
    }

    /// Reads steps that stand inside another file, such as a behaviour of a dialect: a step without
    /// an operator, or with `self`, belongs to whoever plays it.
    ///
    /// - Parameters:
    ///   - text: the steps, as the other file's format delivers them.
    ///   - source: the file that they stand in; ranges point into it.
    ///   - line: the line of `source` (from 1) in which the text starts; each further line of the
    ///     text is taken to be the next line of `source`.
    ///   - column: the byte column (from 1) at which each line of the text starts.
    package static func parseFragment(
        _ text: [UInt8], in source: SourceText, line: Int, column: Int
    ) -> FragmentOutcome {
        let lines = TextLines(text, in: source, line: line, column: column)
        var parser = Parser(source: source, text: lines, isBehaviour: true)
        parser.run()
        return FragmentOutcome(steps: parser.frames[0].steps, diagnostics: parser.list.sorted)
    }
}
