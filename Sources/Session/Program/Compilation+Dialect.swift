import Diagnostics
import LineProtocol
import Scenario

/// What a dialect's behaviours mean to every scenario: the probe, what refuses, what is passed over.
extension Compilation {
    mutating func compileProbe() -> Probe? {
        guard let behaviour = dialect.behaviours["probe"], let piece = piece(behaviour) else {
            return nil
        }
        let scope = dialectScope.child()
        var probe = Probe(sends: [], answers: [])
        probe.token = scope.define("token")
        let place = Place(source: dialectSource, scope: scope, itself: nil, isBehaviour: true)
        for step in piece.steps {
            switch step.kind {
            case .send(let message):
                if let template = template(message, nil, place) { probe.sends.append(template) }
            case .expect(let expectation) where [.next, .skip].contains(expectation.mode):
                if let pattern = pattern(expectation.pattern, nil, place) {
                    probe.answers.append(pattern)
                }
            default:
                report(
                    "dialect.bad-probe", "a probe may only send and expect", dialectSource,
                    step.range, help: "use -> and <- or <~ steps only")
            }
        }
        if let token = probe.token {
            probe.isCounted = !probe.answers.contains { $0.compares(with: token) }
        }
        return probe.sends.isEmpty || probe.answers.isEmpty ? nil : probe
    }

    /// The dialect's `probe-refused`: how a server answers a probe that it does not take yet.
    mutating func probeRefusal() -> LinePattern? {
        guard let behaviour = dialect.behaviours["probe-refused"] else { return nil }
        guard let piece = piece(behaviour), case .expect(let expectation) = piece.steps.first?.kind
        else { return nil }
        let place = Place(
            source: dialectSource, scope: dialectScope.child(), itself: nil, isBehaviour: true)
        return pattern(expectation.pattern, nil, place)
    }

    mutating func rejects() -> [LinePattern] { patterns(dialect.rejects) }

    /// Lines that the dialect says arrive unasked. They are passed over unless a step wants them.
    mutating func dialectRules() -> [StandingRule] {
        patterns(dialect.ignores).map {
            StandingRule(
                operatorIndex: nil, pattern: $0, reply: nil, isDialects: true)
        }
    }

    /// Patterns that stand in the dialect's file, each as the text behind a `<-`.
    private mutating func patterns(_ behaviours: [Behaviour]) -> [LinePattern] {
        behaviours.compactMap { behaviour in
            let outcome = ScenarioParser.parseFragment(
                Array("<- \(behaviour.text)".utf8), in: dialectSource, line: behaviour.line,
                column: behaviour.column - 3)
            if outcome.diagnostics.hasErrors {
                diagnostics += outcome.diagnostics.filter { !diagnostics.contains($0) }
                return nil
            }
            let place = Place(
                source: dialectSource, scope: dialectScope.child(), itself: nil, isBehaviour: true)
            guard case .expect(let expectation) = outcome.steps.first?.kind else { return nil }
            return pattern(expectation.pattern, nil, place)
        }
    }
}
