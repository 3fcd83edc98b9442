import DialectFiles
import Diagnostics
import LineProtocol
import Scenario

extension BoundDialect {
    /// A version of the dialect for servers that do not repeat the token in their answers to
    /// probes, so that answers are matched to probes only by their order. Nil if the dialect's
    /// probe does not expect the token in its answer anyway.
    package var countingProbes: BoundDialect? {
        guard behaviours["probe"]?.awaits(variable: "token") == true else { return nil }
        var counting = dialect
        for name in ["login", "survey", "probe"] {
            guard let behaviour = behaviours[name] else { continue }
            counting.behaviours[name]?.scenarioText = StepPrinter.lines(behaviour.steps)
                .enumerated()
                .map { index, line in
                    let isAnswer =
                        behaviour.steps.indices.contains(index)
                        && behaviour.steps[index].awaited?.placeholders.contains {
                            $0.variable == "token"
                        } == true
                    return (isAnswer ? line.replacing("{{token}}", with: "{{...}}") : line) + "\n"
                }.joined()
        }
        let source = SourceText(
            path: "\(dialect.name)-counted.yaml", text: DialectWriter.yaml(counting))
        let read = DialectReader.read(source).dialect
        return read.flatMap { try? BoundDialect($0, source: source).checked() }
    }
}
