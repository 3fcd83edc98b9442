import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// The steps of a dialect's `login` behaviour. Empty if the dialect has no such behaviour.
struct LoginSteps {
    let steps: [Step]
    private let source: SourceText
    private let splitters: PerDirection<LineSplitter>

    init(_ dialect: BoundDialect) {
        source = dialect.source
        splitters = PerDirection(
            fromClient: LineSplitter(dialect.dialect, direction: .fromClient),
            fromServer: LineSplitter(dialect.dialect, direction: .fromServer))
        steps = dialect["login"]?.steps ?? []
    }

    /// Returns the source text of a step.
    func text(_ step: Step) -> String {
        String(decoding: source.bytes(in: step.range), as: UTF8.self)
    }

    /// Returns the line that a template produces, and the ranges of its parts.
    ///
    /// - Parameter byte: Returns the byte to insert for a placeholder.
    func divided(
        _ template: Template, from sender: Direction,
        _ byte: (Placeholder) -> UInt8 = { _ in UInt8(ascii: "x") }
    ) -> (line: [UInt8], split: SplitLine) {
        var line: [UInt8] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): line += literal.bytes
            case .placeholder(let placeholder): line.append(byte(placeholder))
            }
        }
        var split = SplitLine()
        splitters[sender].split(line.span, 0..<line.count, into: &split)
        return (line, split)
    }
}
