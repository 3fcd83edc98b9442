import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// Compiles the dialect's probe.
extension Compilation {
    mutating func compileProbe() -> Probe? {
        guard let behaviour = bound["probe"] else { return nil }
        let scope = lines.dialectScope.child()
        var probe = Probe(sends: [], answers: [])
        probe.token = scope.define("token")
        let context = CompileContext(source: bound.source, scope: scope, isBehaviour: true)
        for step in behaviour.steps {
            if let message = step.sent, let template = lines.template(message, nil, context) {
                probe.sends.append(template)
            } else if let awaited = step.awaited,
                let pattern = lines.pattern(awaited, nil, context)
            {
                probe.answers.append(pattern)
            }
        }
        if let token = probe.token {
            probe.isCounted = !probe.answers.contains { $0.compares(with: token) }
        }
        return probe.sends.isEmpty || probe.answers.isEmpty ? nil : probe
    }

    /// Compiles `probe-refused`, the answer of a server that does not accept a probe yet; nil if
    /// the dialect has none.
    mutating func probeRefusal() -> LinePattern? {
        guard case .expect(let expectation) = bound["probe-refused"]?.steps.first?.kind else {
            return nil
        }
        let context = CompileContext(
            source: bound.source, scope: lines.dialectScope.child(), isBehaviour: true)
        return lines.pattern(expectation.pattern, nil, context)
    }
}
