import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Steps that open, encrypt and close connections.
extension ScenarioSession {
    mutating func connect(_ index: Int) -> StepProgress {
        let op = operators[index]
        switch op.connection {
        case .open:
            if step.isEntered { return .done }
            return .failed(
                StepFailure(
                    code: "run.already-connected", message: "\(op.name) is already connected"))
        case .none, .closed, .closedByPeer:
            step.isEntered = true
            traffic.open(index)
            return .blocked(until: step.start + stepTimeout)
        case .connecting(let since):
            step.isEntered = true
            return connecting(index, since)
        }
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
            traffic.open(index)
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
        if !op.outgoing.isEmpty { return .blocked(until: nil) }
        if step.isEntered { return .done }
        if case .none = op.connection { return ensureConnected(index) ?? .done }
        if case .connecting = op.connection { return ensureConnected(index) ?? .done }
        step.isEntered = true
        switch operation {
        case .halfClose: traffic.halfClose(index)
        case .abort: traffic.abort(index)
        default: traffic.close(index)
        }
        return op.outgoing.isEmpty ? .done : .blocked(until: nil)
    }

    /// Stops reading from the connection, or resumes it.
    mutating func setReading(_ index: Int, _ isReading: Bool) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        traffic.enqueue(.setReading(traffic.connection(index), isReading), index)
        traffic.drainOutgoing()
        return .done
    }

    // MARK: TLS

    mutating func startTLS(_ index: Int) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        let op = operators[index]
        if !op.outgoing.isEmpty { return .blocked(until: nil) }
        guard step.isEntered else {
            if let failure = cannotSend(index) { return .failed(failure) }
            step.isEntered = true
            op.handshake = .running
            traffic.enqueue(.startTLS(traffic.connection(index)), index)
            traffic.drainOutgoing()
            return .blocked(until: step.start + stepTimeout)
        }
        switch op.handshake {
        case .none, .complete: return .done
        case .failed(let reason, let isServersFault):
            return .failed(
                StepFailure(
                    kind: isServersFault ? .failed : .inconclusive, code: "run.tls",
                    message: "\(op.name) cannot start TLS: \(reason)"))
        case .running:
            if case .closedByPeer(let manner) = op.connection {
                return .failed(failures.closed(index, manner, "during the TLS handshake"))
            }
            guard now < step.start + stepTimeout else {
                return .failed(
                    StepFailure(
                        code: "run.tls",
                        message: "the server did not finish the TLS handshake of \(op.name) within "
                            + duration(stepTimeout)))
            }
            return .blocked(until: step.start + stepTimeout)
        }
    }
}
