/// Who wants which subjects, under which ids of their own.
struct SubscriptionTable {
    struct Subscription {
        var id: ConnectionID
        /// The subscriber's own name for it.
        var sid: [UInt8]
        var subject: [UInt8]
        /// Of a group one member gets each message.
        var queue: [UInt8]?
        /// How many messages it still gets; nil: all.
        var rest: Int?
        /// How many it has got.
        var count = 0
    }

    /// By subject, for those without wildcards.
    private var exact: [[UInt8]: [Subscription]] = [:]
    private var wild: [Subscription] = []
    private var subjects: [ConnectionID: [[UInt8]: [UInt8]]] = [:]
    private var turn = 0

    /// Adds a subscription. One under an id that is in use is ignored.
    mutating func add(_ subscription: Subscription) {
        guard subjects[subscription.id]?[subscription.sid] == nil else { return }
        subjects[subscription.id, default: [:]][subscription.sid] = subscription.subject
        if Subject.hasWildcard(subscription.subject) {
            wild.append(subscription)
        } else {
            exact[subscription.subject, default: []].append(subscription)
        }
    }

    /// Ends a subscription at once or after so many messages in all.
    mutating func end(_ sid: [UInt8], of id: ConnectionID, after maximum: Int?) {
        guard let subject = subjects[id]?[sid] else { return }
        change(subject) { list in
            guard let place = list.firstIndex(where: { $0.id == id && $0.sid == sid }) else {
                return
            }
            if let maximum, maximum > list[place].count {
                list[place].rest = maximum - list[place].count
            } else {
                list.remove(at: place)
            }
        }
        if (maximum ?? 0) <= 0 { subjects[id]?[sid] = nil }
    }

    /// Ends all subscriptions of a connection.
    mutating func endAll(of id: ConnectionID) {
        guard let all = subjects.removeValue(forKey: id) else { return }
        for subject in Set(all.values) {
            change(subject) { $0.removeAll { $0.id == id } }
        }
    }

    private mutating func change(_ subject: [UInt8], _ body: (inout [Subscription]) -> Void) {
        if Subject.hasWildcard(subject) {
            body(&wild)
        } else {
            body(&exact[subject, default: []])
            if exact[subject]?.isEmpty == true { exact[subject] = nil }
        }
    }

    /// Those that get a message, in the order of their subscriptions; it counts for them.
    mutating func take(_ subject: [UInt8], without sender: ConnectionID?) -> [Subscription] {
        var found = exact[subject] ?? []
        if !wild.isEmpty { found += wild.filter { Subject.matches($0.subject, subject) } }
        if let sender { found.removeAll { $0.id == sender } }
        if found.contains(where: { $0.queue != nil }) { found = oneOfEachQueue(found) }
        count(found)
        return found
    }

    private mutating func oneOfEachQueue(_ found: [Subscription]) -> [Subscription] {
        turn += 1
        let groups = Dictionary(grouping: found.filter { $0.queue != nil }) { $0.queue ?? [] }
        return found.filter { $0.queue == nil }
            + groups.values.map { $0[turn % $0.count] }
    }

    /// Notes that they get a message; one that has had its last is gone.
    private mutating func count(_ taken: [Subscription]) {
        guard let subject = taken.first?.subject else { return }
        // In a room of many all are of one subject, and are counted in one pass.
        let isOneSubject = taken.allSatisfy { $0.subject == subject && $0.queue == nil }
        if isOneSubject, !Subject.hasWildcard(subject), exact[subject]?.count == taken.count {
            countAll(subject)
        } else {
            for subscription in taken { countOne(subscription) }
        }
    }

    private mutating func countAll(_ subject: [UInt8]) {
        var done: [Subscription] = []
        change(subject) { list in
            for place in list.indices { Self.count(&list[place]) }
            done = list.filter { $0.rest == 0 }
            if !done.isEmpty { list.removeAll { $0.rest == 0 } }
        }
        for subscription in done { subjects[subscription.id]?[subscription.sid] = nil }
    }

    private mutating func countOne(_ subscription: Subscription) {
        var isDone = false
        change(subscription.subject) { list in
            let place = list.firstIndex { $0.id == subscription.id && $0.sid == subscription.sid }
            guard let place else { return }
            Self.count(&list[place])
            isDone = list[place].rest == 0
            if isDone { list.remove(at: place) }
        }
        if isDone { subjects[subscription.id]?[subscription.sid] = nil }
    }

    private static func count(_ subscription: inout Subscription) {
        subscription.count += 1
        subscription.rest = subscription.rest.map { $0 - 1 }
    }
}
