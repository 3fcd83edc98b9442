/// Printer for steps that were created or changed in memory. Its output parses back to equal steps.
package enum StepPrinter {
    /// Prints steps, one line each; the contents of blocks are indented.
    package static func lines(_ steps: [Step]) -> [String] {
        var writer = ScenarioWriter()
        _ = writer.steps(steps)
        return writer.lines
    }

    package static func lines(_ fragment: Fragment) -> [String] {
        var writer = ScenarioWriter()
        _ = writer.fragment(fragment)
        return writer.lines
    }

    /// Prints a step without its actor.
    package static func line(_ step: Step) -> String {
        var writer = ScenarioWriter()
        _ = writer.statement(step)
        return writer.text
    }

    /// Prints a message as it appears after the arrow.
    package static func text(_ message: StepMessage) -> String {
        var writer = ScenarioWriter()
        _ = writer.message(message)
        return writer.text
    }

    /// Prints a pattern as it appears after the arrow.
    package static func text(_ pattern: Pattern) -> String {
        var writer = ScenarioWriter()
        _ = writer.pattern(pattern)
        return writer.text
    }
}
