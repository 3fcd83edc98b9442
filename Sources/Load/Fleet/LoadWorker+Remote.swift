import CEpoll

/// Connections that event loops serve.
extension LoadWorker {
    /// Hands over what has happened to one of them.
    mutating func take(_ happening: RemoteConnections.RemoteEvent) {
        let index = happening.connection.tag
        // One that was left or replaced has nothing more to say.
        guard remote[index] === happening.connection else { return }
        let now = lj_now()
        switch happening.event {
        case .connected: stands(index, since: connecting.removeValue(forKey: index) ?? now, at: now)
        case .failed(let reason, let isRefused):
            connecting[index] = nil
            remote[index] = nil
            sockets[index] = -1
            failConnect(index, reason, isRefused: isRefused, isOurs: false, at: now)
        case .bytes(let bytes):
            if isPacedReader(index), let place = paced.firstIndex(where: { $0.index == index }) {
                paced[place].credit -= Double(bytes.count)
            }
            receive(bytes.span, index, at: now)
        case .closed(let byReset): closed(index, byReset: byReset, at: now)
        }
        carryOut()
    }
}
