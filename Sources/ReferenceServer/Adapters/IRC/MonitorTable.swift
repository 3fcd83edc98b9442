import ChatModel

/// The nicknames that clients monitor.
struct MonitorTable {
    /// Maximum number of nicknames that a client can monitor.
    static let targetsMax = 100

    private var watchers: [NameKey: [ClientID]] = [:]
    private var targets: [ClientID: [Target]] = [:]

    /// A monitored nickname, with its key for comparisons.
    struct Target {
        var key: NameKey
        var nickname: [UInt8]
    }

    /// Adds a nickname to a client's list. Returns false if the list is full.
    mutating func add(_ nickname: [UInt8], _ key: NameKey, for id: ClientID) -> Bool {
        let list = targets[id] ?? []
        if list.contains(where: { $0.key == key }) { return true }
        guard list.count < Self.targetsMax else { return false }
        targets[id, default: []].append(Target(key: key, nickname: nickname))
        watchers[key, default: []].append(id)
        return true
    }

    mutating func remove(_ key: NameKey, for id: ClientID) {
        targets[id]?.removeAll { $0.key == key }
        guard var list = watchers[key] else { return }
        list.removeAll { $0 == id }
        watchers[key] = list.isEmpty ? nil : list
    }

    mutating func removeAll(for id: ClientID) {
        for target in targets[id] ?? [] { remove(target.key, for: id) }
        targets[id] = nil
    }

    /// Returns the nicknames that a client monitors, as the client wrote them.
    func nicknames(for id: ClientID) -> [[UInt8]] { targets[id]?.map(\.nickname) ?? [] }

    /// Returns the clients that monitor a nickname.
    func watchers(of key: NameKey) -> [ClientID] { watchers[key] ?? [] }
}
