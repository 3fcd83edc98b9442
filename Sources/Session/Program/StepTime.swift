import DialectModel
package import Diagnostics
import Scenario

/// How long an expectation waited for its line: from the send before it.
package struct StepTime: Sendable, Hashable {
    /// The instruction that waited.
    package var instruction: Int
    /// Where its pattern begins, in the scenario or the dialect: several stand in `any order`.
    package var offset: Int
    /// Who waited.
    package var operatorIndex: Int
    /// When something was sent last; where nothing was, when the step began.
    package var sent: Int64
    /// When the line came.
    package var arrived: Int64
}

/// Where an expectation of a program stands, for people.
package struct StepPlace: Sendable, Hashable, Codable {
    /// The line of the scenario, counted from 1.
    package var line: Int
    /// The step as it was written, without its clauses: `bob <- 433 {{...}}`.
    package var text: String
    /// The `use` that brought it in; nil where it stands in the scenario.
    package var behaviour: String?

    package init(line: Int, text: String, behaviour: String? = nil) {
        self.line = line
        self.text = text
        self.behaviour = behaviour
    }
}

extension Program {
    /// Where the expectation that a time belongs to stands.
    package func place(of time: StepTime) -> StepPlace {
        let origin = instructions[time.instruction].origin
        let name =
            operators.indices.contains(time.operatorIndex) ? operators[time.operatorIndex] : ""
        let pattern = self.pattern(of: time)
        let start = origin.useSite?.start ?? pattern?.range.start ?? origin.range.start
        return StepPlace(
            line: file.source.line(at: start),
            text: "\(name) \(arrow(of: time)) \(pattern?.text ?? "")",
            behaviour: origin.useSite.map {
                String(decoding: file.source.bytes(in: $0), as: UTF8.self)
            })
    }

    private func pattern(of time: StepTime) -> LinePattern? {
        switch instructions[time.instruction].operation {
        case .expect(_, _, let pattern, _): pattern
        case .anyOrder(let expectations):
            expectations.first { $0.pattern.range.start == time.offset }?.pattern
        default: nil
        }
    }

    private func arrow(of time: StepTime) -> String {
        switch instructions[time.instruction].operation {
        case .expect(_, let mode, _, _): mode.rawValue
        case .anyOrder(let expectations):
            expectations.first { $0.pattern.range.start == time.offset }?.mode.rawValue ?? "<-"
        default: "<-"
        }
    }
}

extension Program {
    /// A step that takes long whatever the server does, and how long all such steps take together.
    package struct LeastDuration: Sendable {
        /// All waits of one play, in nanoseconds.
        package var nanoseconds: Int64 = 0
        /// Where the longest of them stands.
        package var longest: (range: SourceRange, nanoseconds: Int64)?
    }

    /// How long a play takes at least, even if the server answers at once.
    package var leastDuration: LeastDuration {
        var result = LeastDuration()
        var factors: [(end: Int, factor: Double)] = []
        for (place, instruction) in instructions.enumerated() {
            factors.removeAll { $0.end <= place }
            let factor = factors.reduce(1) { $0 * $1.factor }
            if case .beginRepeat(_, let count, _, let end) = instruction.operation {
                factors.append((end, Double(count)))
            }
            let time = Double(Self.wait(instruction.operation)) * factor
            guard time > 0 else { continue }
            let nanoseconds = Int64(min(time, 1e18))
            result.nanoseconds = min(result.nanoseconds, 1 << 60) + nanoseconds
            if nanoseconds > result.longest?.nanoseconds ?? 0 {
                result.longest = (
                    instruction.origin.useSite ?? instruction.origin.range, nanoseconds
                )
            }
        }
        return result
    }

    private static func wait(_ operation: Operation) -> Int64 {
        switch operation {
        case .wait(let least, _): least
        case .quiet(_, let window): window.latest ?? 0
        case .expect(_, .never, _, let window): window.latest ?? 0
        case .expect(_, _, _, let window): window.earliest ?? 0
        case .closed(_, _, let window): window.earliest ?? 0
        case .beginRepeat(_, let count, let every, _): (every ?? 0) * Int64(max(count - 1, 0))
        default: 0
        }
    }
}
