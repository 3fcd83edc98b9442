import DialectModel
import Diagnostics

/// The failure of a step, with the details shown in its diagnostic.
struct StepFailure {
    /// The resulting scenario outcome.
    enum Kind { case failed, inconclusive }

    var kind = Kind.failed
    var code: DiagnosticCode
    var message: String
    /// The source range to underline; nil for the whole step.
    var range: SourceRange?
    var label = ""
    /// Number of the transcript entry for the received line that caused the failure; nil if no line
    /// caused it.
    var entry: Int?
    var notes: [DiagnosticNote] = []
    /// Origin of the instruction that failed; nil for the current instruction.
    var origin: Origin?
    /// The block that failed because of this failure; nil if there is none.
    var block: Origin?
}

extension StepFailure {
    /// Creates the failure for a message that could not be rendered.
    init(_ error: RenderingError) {
        self.init(code: error.code, message: error.message, range: error.range)
    }
}
