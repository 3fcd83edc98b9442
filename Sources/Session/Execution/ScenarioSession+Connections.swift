import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Steps that open and close connections.
extension ScenarioSession {
    mutating func connect(_ index: Int) -> StepProgress {
        let op = operators[index]
        switch op.connection {
        case .open:
            if step.isEntered { return .done }
            return .failed(
                StepFailure(
                    code: "run.already-connected",
                    message: "\(op.name) is already connected"))
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
        let op = operators[index]
        if case .closedByPeer = op.connection { actions.append(.close(connection(index))) }
        op.generation += 1
        op.connection = .connecting(since: now)
        op.isHalfClosed = false
        op.framer = LineFramer(program.dialect, direction: .fromServer)
        op.framer.noteConnected()
        op.forgetConnection()
        op.sent = nil
        actions.append(.connect(connection(index)))
    }

    func connecting(_ index: Int, _ since: Int64) -> StepProgress {
        guard now < since + stepTimeout else {
            return .failed(
                StepFailure(
                    kind: .inconclusive, code: "run.no-connection",
                    message: "\(operators[index].name) could not connect within "
                        + duration(stepTimeout)))
        }
        return .blocked(until: since + stepTimeout)
    }

    /// Returns nil if the operator has a connection, even one that the server has closed.
    /// Otherwise, returns the progress of the step: it waits for a connection, or it fails because
    /// the scenario has closed the connection.
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
                    notes: [DiagnosticNote(.help, "add `\(name) connect` before this step")]))
        }
    }

    mutating func end(_ index: Int, _ operation: Operation) -> StepProgress {
        let op = operators[index]
        if op.hasOutgoing { return .blocked(until: nil) }
        if step.isEntered { return .done }
        if case .none = op.connection { return ensureConnected(index) ?? .done }
        if case .connecting = op.connection { return ensureConnected(index) ?? .done }
        step.isEntered = true
        let id = connection(index)
        switch operation {
        case .halfClose:
            end(index, with: .halfClose(id))
            op.isHalfClosed = true
        case .abort:
            flushHeld(index)
            enqueue(.abort(id), index)
            close(index)
        default:
            end(index, with: .close(id))
            close(index)
        }
        drainOutgoing()
        return op.hasOutgoing ? .blocked(until: nil) : .done
    }

    /// Stops reading from the connection, or resumes it.
    mutating func setReading(_ index: Int, _ isReading: Bool) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        enqueue(.setReading(connection(index), isReading), index)
        drainOutgoing()
        return .done
    }

    mutating func close(_ index: Int) {
        let op = operators[index]
        op.connection = .closed
        // Lines from the next connection cannot answer probes sent on this one.
        op.barriers = BarrierQueue()
        recorder.record(.closed, op.name, at: now)
    }
}
