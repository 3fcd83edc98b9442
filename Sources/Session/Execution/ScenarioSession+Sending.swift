import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Steps that send, wait and assign variables.
extension ScenarioSession {
    mutating func send(
        _ index: Int, _ message: MessageTemplate, _ origin: Origin
    ) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        let op = operators[index]
        if !step.isEntered {
            if let failure = cannotSend(index) { return .failed(failure) }
            // The lines of different operators must be sent in source order.
            if options.segmentation != .whole { traffic.flushHeldOfOthers(index) }
            step.isEntered = true
            do {
                let parts = try traffic.bindings.render(message)
                lastSend = (program.line(of: origin), now)
                traffic.queue(parts, index, role: .plain)
            } catch {
                return .failed(StepFailure(error))
            }
        }
        return op.outgoing.isEmpty ? .done : .blocked(until: nil)
    }

    /// Returns the reason an operator can no longer send; nil if it can.
    func cannotSend(_ index: Int) -> StepFailure? {
        let op = operators[index]
        if case .closedByPeer(let manner) = op.connection {
            return failures.closed(index, manner, "before this step")
        }
        guard op.isHalfClosed else { return nil }
        return StepFailure(
            code: "run.half-closed", message: "\(op.name) has closed its sending side")
    }

    mutating func wait(_ minimum: Int64, _ maximum: Int64) -> StepProgress {
        if let until = step.until { return now >= until ? .done : .blocked(until: until) }
        let span = UInt64(max(0, maximum - minimum)) + 1
        let until = step.start + minimum + Int64(traffic.random.next() % span)
        step.until = until
        return now >= until ? .done : .blocked(until: until)
    }

    mutating func bind(
        _ bindings: [(variable: Int, value: MessageTemplate.Bytes)], _ origin: Origin
    ) -> StepProgress {
        for binding in bindings {
            do {
                traffic.bindings[binding.variable] = try traffic.bindings.render(
                    binding.value, origin.range)
            } catch {
                return .failed(StepFailure(error))
            }
        }
        return .done
    }

    mutating func sync(_ named: [Int]) -> StepProgress {
        let indices =
            named.isEmpty
            ? operators.indices.filter { operators[$0].connection == .open } : named
        var latest: Int64 = step.start
        var isWaiting = false
        for index in indices {
            if let progress = ensureConnected(index) { return progress }
            if case .closedByPeer(let manner) = operators[index].connection {
                return .failed(failures.closed(index, manner, "before answering a probe"))
            }
            if case .waiting(let until) = step.probes.state(of: index, in: &traffic) {
                isWaiting = true
                latest = max(latest, until)
            }
        }
        return isWaiting ? .blocked(until: latest) : .done
    }
}
