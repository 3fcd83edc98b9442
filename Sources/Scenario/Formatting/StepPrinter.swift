/// Printer for steps that were created or changed in memory. Its output parses back to equal steps.
package enum StepPrinter {
    /// Prints steps, one line each; the contents of blocks are indented.
    package static func lines(_ steps: [Step]) -> [String] {
        var writer = ScenarioWriter()
        _ = writer.steps(steps)
        return writer.lines
    }

    /// Prints a pattern as it appears after the arrow.
    package static func text(_ pattern: Pattern) -> String {
        var writer = ScenarioWriter()
        _ = writer.pattern(pattern)
        return writer.text
    }
}
