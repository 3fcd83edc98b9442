package import Console
package import Diagnostics
package import Report

/// The colour mode, and the resulting style of each output.
package struct Colours: Sendable {
    private let mode: ColourMode

    package init(_ mode: ColourMode) { self.mode = mode }

    /// Returns the text style for an output.
    package func style(for output: Output) -> Style {
        Style(
            isColoured: mode.usesColour(
                environment: Environment.ofProcess, isTerminal: output.isTerminal))
    }

    /// Writes diagnostics to standard error.
    package func show(_ diagnostics: [Diagnostic]) {
        guard !diagnostics.isEmpty else { return }
        let isColoured = style(for: .error).isColoured
        Output.error.write(DiagnosticRenderer(isColoured: isColoured).text(diagnostics))
    }
}
