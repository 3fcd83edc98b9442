import Diagnostics

/// The step that encrypts a connection.
extension ScenarioSession {
    mutating func startTLS(_ index: Int) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        let op = operators[index]
        if op.hasOutgoing { return .blocked(until: nil) }
        guard step.isEntered else {
            if let failure = cannotSend(index) { return .failed(failure) }
            step.isEntered = true
            op.handshake = .running
            enqueue(.startTLS(connection(index)), index)
            drainOutgoing()
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
                return .failed(closedFailure(index, manner, "during the TLS handshake"))
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
