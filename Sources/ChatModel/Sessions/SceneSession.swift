import Synchronization

/// What happens in a session.
public enum SceneEvent: Sendable, Hashable {
    case message(SceneMessage)
    case joined(Nickname)
    case left(Nickname)
    /// Nothing comes after it.
    case ended
}

/// A conversation that is under way. What it does comes from its scene: what it carries, for how many, how much
/// it keeps, and when it ends.
public final class SceneSession: Sendable {
    private struct State {
        var members: [Nickname] = []
        var lastActivity: Int64
        var hasEnded = false
        var subscriptions: [ServiceSubscription] = []
    }

    /// What tells it from the others of its ``SceneSessions``.
    public let id: Int
    /// What kind of conversation it is.
    public let scene: Scene
    /// What was said and is kept.
    public let log: SharedMessageLog<SceneMessage>
    private let events: Multicast<SceneEvent>
    private let state: Mutex<State>
    private let whenEnded: @Sendable (SceneSession) -> Void

    init(
        id: Int, _ scene: Scene, _ members: [Nickname], now: Int64,
        reportingTo report: @escaping @Sendable (MulticastReport) -> Void,
        whenEnded: @escaping @Sendable (SceneSession) -> Void
    ) {
        self.id = id
        self.scene = scene
        log = SharedMessageLog(messagesMax: scene.messagesMax, reportingTo: report)
        events = Multicast(reportingTo: report)
        state = Mutex(State(members: members, lastActivity: now))
        self.whenEnded = whenEnded
    }

    /// Who is in it, in the order in which they came.
    public var members: [Nickname] { state.withLock { $0.members } }
    /// Whether it is over.
    public var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Adds one who is told what happens.
    @discardableResult
    public func add(_ listener: Listener<SceneEvent>) throws(MulticastError) -> ListenerID {
        try events.add(listener)
    }

    /// Removes a listener, as ``Multicast/remove(_:)`` does.
    @discardableResult
    public func remove(_ listener: ListenerID) -> Bool { events.remove(listener) }

    /// Says something.
    ///
    /// - Returns: what became of it in the log; nil, if messages of this type are told and not kept.
    @discardableResult
    public func post(
        _ message: SceneMessage, now: Int64
    ) throws(SceneError) -> MessageInsertion<SceneMessage>? {
        try scene.check(message.content)
        let posted = try locked { state throws(SceneError) -> Posted in
            try checkMember(message.sender, state)
            state.lastActivity = max(state.lastActivity, now)
            guard message.content.type.isKept else {
                return Posted(event: events.post(.message(message)))
            }
            let (result, change) = log.post(message)
            let event = result.isInserted ? events.post(.message(message)) : nil
            return Posted(result: result, change: change, event: event)
        }
        posted.change?.follow()
        posted.event?.follow()
        return posted.result
    }

    /// What came of a message, and whom it has to be brought to.
    private struct Posted: Sendable {
        var result: MessageInsertion<SceneMessage>?
        var change: MulticastPosting<MessageLogChanges<SceneMessage>>?
        var event: MulticastPosting<SceneEvent>?
    }

    /// Lets somebody in. One who is in already stays as it is.
    public func join(_ nickname: Nickname) throws(SceneError) {
        let posting = try locked { state throws(SceneError) -> MulticastPosting<SceneEvent>? in
            try checkRunning(state)
            guard !state.members.contains(nickname) else { return nil }
            guard state.members.count < scene.membersMax else {
                throw .tooManyMembers(scene)
            }
            state.members.append(nickname)
            return events.post(.joined(nickname))
        }
        posting?.follow()
    }

    /// Lets somebody in by name.
    ///
    /// - Throws: also if the name is none that a member can have.
    public func join(named name: String) throws(SceneError) {
        try join(Nickname(name, in: scene))
    }

    /// Lets somebody go by name.
    public func leave(named name: String) {
        let key = Nickname.key(of: Array(name.utf8))
        guard let nickname = members.first(where: { $0.key == key }) else { return }
        leave(nickname)
    }

    /// Lets somebody go. If the scene says so, the last one ends the session.
    public func leave(_ nickname: Nickname) {
        let (posting, isOver) = state.withLock { state in
            guard !state.hasEnded, let place = state.members.firstIndex(of: nickname) else {
                return (nil as MulticastPosting<SceneEvent>?, false)
            }
            let left = state.members.remove(at: place)
            return (events.post(.left(left)), state.members.isEmpty && scene.endsWhenEmpty)
        }
        posting?.follow()
        if isOver { end() }
    }

    /// Subscribes to a data service for as long as the session lasts; returns the service there is now.
    public func subscribe<Service>(
        to key: ServiceKey<Service>, in services: DataServices, _ listener: Listener<Service?>
    ) throws(MulticastError) -> Service? {
        let (subscription, current) = try services.subscribe(to: key, listener)
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.subscriptions.append(subscription) }
            return state.hasEnded
        }
        if hasEnded { subscription.end() }
        return current
    }

    /// Takes out what is shown no longer, and ends the session if it was quiet for too long.
    public func expire(now: Int64) {
        if let lifetime = scene.messageLifetime { log.removeAll(before: now - lifetime) }
        guard let idle = scene.endsAfterIdle else { return }
        if state.withLock({ now - $0.lastActivity >= idle }) { end() }
    }

    /// Ends the session: members and listeners are told, subscriptions end, data services stay.
    public func end() {
        let ended = state.withLock { state -> (MulticastPosting<SceneEvent>, State)? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            defer { state.subscriptions = [] }
            return (events.post(.ended), state)
        }
        guard let (posting, last) = ended else { return }
        posting.follow()
        for subscription in last.subscriptions { subscription.end() }
        events.finish()
        whenEnded(self)
    }

    private func checkRunning(_ state: State) throws(SceneError) {
        guard !state.hasEnded else {
            throw SceneError(.ended, scene: scene.name) { "the session has ended" }
        }
    }

    private func checkMember(_ sender: String, _ state: State) throws(SceneError) {
        try checkRunning(state)
        let key = Nickname.key(of: Array(sender.utf8))
        guard state.members.contains(where: { $0.key == key }) else {
            throw SceneError(.notMember, scene: scene.name) { "\(sender) is no member" }
        }
    }

    private func locked<Result: Sendable>(
        _ body: (inout State) throws(SceneError) -> Result
    ) throws(SceneError) -> Result {
        try state.withLock { state throws(SceneError) in try body(&state) }
    }
}
