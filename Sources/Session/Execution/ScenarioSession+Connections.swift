import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Opening and closing, as steps.
extension ScenarioSession {
    mutating func connect(_ index: Int) -> StepProgress {
        let box = operators[index]
        switch box.connection {
        case .open:
            if step.isEntered { return .done }
            return .failed(
                StepFailure(
                    code: "run.already-connected",
                    message: "\(box.name) is connected already"))
        case .none, .closed, .closedByPeer:
            step.isEntered = true
            open(index)
            return .blocked(until: step.start + stepTimeout)
        case .connecting(let since):
            step.isEntered = true
            return connecting(index, since)
        }
    }

    mutating func open(_ index: Int) {
        let box = operators[index]
        if case .closedByPeer = box.connection { actions.append(.close(connection(index))) }
        box.generation += 1
        box.connection = .connecting(since: now)
        box.isHalfClosed = false
        box.framer = LineFramer(program.dialect, direction: .fromServer)
        box.forgetConnection()
        box.sent = nil
        actions.append(.connect(connection(index)))
    }

    func connecting(_ index: Int, _ since: Int64) -> StepProgress {
        guard now < since + stepTimeout else {
            return .failed(
                StepFailure(
                    kind: .inconclusive, code: "run.no-connection",
                    message: "\(operators[index].name) was not connected within "
                        + duration(stepTimeout)))
        }
        return .blocked(until: since + stepTimeout)
    }

    /// Nil if the operator is connected, or was; else what the step has to wait for.
    mutating func ensureConnected(_ index: Int) -> StepProgress? {
        switch operators[index].connection {
        case .open, .closedByPeer: return nil
        case .none:
            open(index)
            return .blocked(until: now + stepTimeout)
        case .connecting(let since):
            return connecting(index, since)
        case .closed:
            let name = operators[index].name
            return .failed(
                StepFailure(
                    code: "run.not-connected", message: "\(name) has closed its connection",
                    notes: [DiagnosticNote(.help, "write \(name) connect before this step")]))
        }
    }

    mutating func end(_ index: Int, _ operation: Operation) -> StepProgress {
        let box = operators[index]
        if box.hasOutgoing { return .blocked(until: nil) }
        if step.isEntered { return .done }
        if case .none = box.connection { return ensureConnected(index) ?? .done }
        if case .connecting = box.connection { return ensureConnected(index) ?? .done }
        step.isEntered = true
        let id = connection(index)
        switch operation {
        case .halfClose:
            end(index, with: .halfClose(id))
            box.isHalfClosed = true
        case .abort:
            flushHeld(index)
            enqueue(.abort(id), index)
            close(index)
        default:
            end(index, with: .close(id))
            close(index)
        }
        drainOutgoing()
        return box.hasOutgoing ? .blocked(until: nil) : .done
    }

    /// Stops reading, or goes on with it.
    mutating func setReading(_ index: Int, _ isReading: Bool) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        enqueue(.setReading(connection(index), isReading), index)
        drainOutgoing()
        return .done
    }

    mutating func close(_ index: Int) {
        let box = operators[index]
        box.connection = .closed
        // Late bytes of this connection are not for the next one.
        box.barriers = BarrierQueue()
        recorder.record(.closed, box.name, at: now)
    }
}
