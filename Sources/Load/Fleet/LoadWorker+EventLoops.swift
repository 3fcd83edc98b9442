import CEpoll

/// Event handling for event-loop connections.
extension LoadWorker {
    /// Handles an event from an event-loop connection.
    mutating func take(_ event: EventLoopConnections.ConnectionEvent) {
        let index = event.connection.tag
        // Events from replaced connections are ignored.
        guard loopConnections[index] === event.connection else { return }
        let now = lj_now()
        switch event.event {
        case .connected:
            established(index, since: connecting.removeValue(forKey: index) ?? now, at: now)
        case .failed(let reason, let isRefused):
            connecting[index] = nil
            loopConnections[index] = nil
            sockets[index] = -1
            failConnect(index, reason, isRefused: isRefused, isOurs: false, at: now)
        case .bytes(let bytes):
            if !paced.isEmpty, isPacedReader(index),
                let pacedIndex = paced.firstIndex(where: { $0.index == index })
            {
                paced[pacedIndex].credit -= Double(bytes.count)
            }
            receive(bytes.span, index, at: now)
        case .closing(let reason):
            if index < pool.count { pool.closeReasons[index] = reason }
        case .closed(let byReset): closed(index, byReset: byReset, at: now)
        }
        carryOut()
    }
}
