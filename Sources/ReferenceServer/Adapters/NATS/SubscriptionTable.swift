/// The subscriptions of all clients, each with a client-chosen ID.
struct SubscriptionTable {
    /// A client's subscription to a subject.
    struct Subscription {
        var id: ClientID
        /// The ID chosen by the subscriber.
        var sid: [UInt8]
        var subject: [UInt8]
        /// Queue group, in which only one member receives each message; nil if there is none.
        var queue: [UInt8]?
        /// Remaining number of messages to deliver; nil if there is no limit.
        var rest: Int?
        var count = 0
    }

    private var exact: [[UInt8]: [Subscription]] = [:]
    private var wild: [Subscription] = []
    private var subjects: [ClientID: [[UInt8]: [UInt8]]] = [:]
    private var turn = 0

    /// Adds a subscription unless its ID is already in use.
    mutating func add(_ subscription: Subscription) {
        guard subjects[subscription.id]?[subscription.sid] == nil else { return }
        subjects[subscription.id, default: [:]][subscription.sid] = subscription.subject
        if NATSSubject.hasWildcard(subscription.subject) {
            wild.append(subscription)
        } else {
            exact[subscription.subject, default: []].append(subscription)
        }
    }

    /// Ends a subscription, either immediately or after a total of `maximum` messages.
    mutating func end(_ sid: [UInt8], of id: ClientID, after maximum: Int?) {
        guard let subject = subjects[id]?[sid] else { return }
        change(subject) { list in
            guard let index = list.firstIndex(where: { $0.id == id && $0.sid == sid }) else {
                return
            }
            if let maximum, maximum > list[index].count {
                list[index].rest = maximum - list[index].count
            } else {
                list.remove(at: index)
            }
        }
        if (maximum ?? 0) <= 0 { subjects[id]?[sid] = nil }
    }

    mutating func endAll(of id: ClientID) {
        guard let all = subjects.removeValue(forKey: id) else { return }
        for subject in Set(all.values) {
            change(subject) { $0.removeAll { $0.id == id } }
        }
    }

    private mutating func change(_ subject: [UInt8], _ body: (inout [Subscription]) -> Void) {
        if NATSSubject.hasWildcard(subject) {
            body(&wild)
        } else {
            body(&exact[subject, default: []])
            if exact[subject]?.isEmpty == true { exact[subject] = nil }
        }
    }

    /// Returns the subscriptions that receive a message, only one of each queue group, and counts
    /// the message for each of them.
    mutating func take(_ subject: [UInt8], without sender: ClientID?) -> [Subscription] {
        var found = exact[subject] ?? []
        if !wild.isEmpty { found += wild.filter { NATSSubject.matches($0.subject, subject) } }
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

    /// Counts a message for each subscription, and removes subscriptions that have reached their
    /// maximum.
    private mutating func count(_ taken: [Subscription]) {
        guard let subject = taken.first?.subject else { return }
        // If all subscriptions have the same subject, they can be counted in a single pass.
        let isOneSubject = taken.allSatisfy { $0.subject == subject && $0.queue == nil }
        if isOneSubject, !NATSSubject.hasWildcard(subject), exact[subject]?.count == taken.count {
            countAll(subject)
        } else {
            for subscription in taken { countOne(subscription) }
        }
    }

    private mutating func countAll(_ subject: [UInt8]) {
        var done: [Subscription] = []
        change(subject) { list in
            for index in list.indices { Self.count(&list[index]) }
            done = list.filter { $0.rest == 0 }
            if !done.isEmpty { list.removeAll { $0.rest == 0 } }
        }
        for subscription in done { subjects[subscription.id]?[subscription.sid] = nil }
    }

    private mutating func countOne(_ subscription: Subscription) {
        var isDone = false
        change(subscription.subject) { list in
            let index = list.firstIndex { $0.id == subscription.id && $0.sid == subscription.sid }
            guard let index else { return }
            Self.count(&list[index])
            isDone = list[index].rest == 0
            if isDone { list.remove(at: index) }
        }
        if isDone { subjects[subscription.id]?[subscription.sid] = nil }
    }

    private static func count(_ subscription: inout Subscription) {
        subscription.count += 1
        subscription.rest = subscription.rest.map { $0 - 1 }
    }
}
