import Synchronization

/// An event in a session, such as a new message or member.
public enum SceneEvent: Sendable, Hashable {
    case message(SceneMessage)
    case joined(Nickname)
    case left(Nickname)
    /// The session has ended. No events follow.
    case ended
}

/// A conversation in progress. Its scene determines the content types, member limit, history size
/// and lifetime. All methods may be called from any thread.
public final class SceneSession: Sendable {
    private struct State {
        var members: [Nickname] = []
        var lastActivity: Int64
        var hasEnded = false
        var subscriptions: [ServiceSubscription] = []
    }

    /// The session's id, unique within its ``SceneSessions``.
    public let id: Int
    /// The type of conversation.
    public let scene: Scene
    /// The log of messages.
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

    /// The members, in join order.
    public var members: [Nickname] { state.withLock { $0.members } }
    /// True if the session has ended.
    public var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Adds a listener to the session's events.
    ///
    /// - Throws: ``MulticastError`` if there are too many listeners or the session has ended.
    @discardableResult
    public func add(_ listener: Listener<SceneEvent>) throws(MulticastError) -> ListenerID {
        try events.add(listener)
    }

    /// Removes a listener, as ``Multicast/remove(_:)`` does. Returns false if there is no such
    /// listener.
    @discardableResult
    public func remove(_ listener: ListenerID) -> Bool { events.remove(listener) }

    /// Posts a message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - now: the current time in nanoseconds. Posting a message resets the idle time.
    /// - Returns: the result of inserting the message into the log; nil if its content type is
    ///   delivered but not kept.
    /// - Throws: ``SceneError`` if the scene does not allow the content, the sender is not a member
    ///   or the session has ended.
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
        posted.change?.run()
        posted.event?.run()
        return posted.result
    }

    /// Result of posting a message, along with the notifications to send.
    private struct Posted: Sendable {
        var result: MessageInsertion<SceneMessage>?
        var change: MulticastFollowUp<MessageLogChanges<SceneMessage>>?
        var event: MulticastFollowUp<SceneEvent>?
    }

    /// Adds a member. Has no effect if the user is already a member.
    ///
    /// - Throws: ``SceneError`` if the session is full or has ended.
    public func join(_ nickname: Nickname) throws(SceneError) {
        let followUp = try locked { state throws(SceneError) -> MulticastFollowUp<SceneEvent>? in
            try checkRunning(state)
            guard !state.members.contains(nickname) else { return nil }
            guard state.members.count < scene.membersMax else {
                throw .tooManyMembers(scene)
            }
            state.members.append(nickname)
            return events.post(.joined(nickname))
        }
        followUp?.run()
    }

    /// Adds a member by name.
    ///
    /// - Throws: ``SceneError`` if the session is full or has ended, or the name is not a valid
    ///   nickname.
    public func join(named name: String) throws(SceneError) {
        try join(Nickname(name, in: scene))
    }

    /// Removes the member with this name or an equivalent one. Has no effect if there is none.
    public func leave(named name: String) {
        let key = Nickname.key(of: Array(name.utf8))
        guard let nickname = members.first(where: { $0.key == key }) else { return }
        leave(nickname)
    }

    /// Removes a member. If the scene requires it, the session ends when its last member leaves.
    public func leave(_ nickname: Nickname) {
        let (followUp, isOver) = state.withLock { state in
            guard !state.hasEnded, let index = state.members.firstIndex(of: nickname) else {
                return (nil as MulticastFollowUp<SceneEvent>?, false)
            }
            let left = state.members.remove(at: index)
            return (events.post(.left(left)), state.members.isEmpty && scene.endsWhenEmpty)
        }
        followUp?.run()
        if isOver { end() }
    }

    /// Subscribes to a data service until the end of the session.
    ///
    /// - Returns: the currently published service; nil if there is none.
    /// - Throws: ``MulticastError`` if there are too many subscribers.
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

    /// Removes expired messages, and ends the session if it has been idle for too long.
    ///
    /// - Parameter now: the time in nanoseconds, on the same clock as the messages' times.
    public func expire(now: Int64) {
        if let lifetime = scene.messageLifetime { log.removeAll(before: now - lifetime) }
        guard let idle = scene.endsAfterIdle else { return }
        if state.withLock({ now - $0.lastActivity >= idle }) { end() }
    }

    /// Ends the session: notifies the listeners and cancels subscriptions. Data services are
    /// unaffected. A second call has no effect.
    public func end() {
        let ended = state.withLock { state -> (MulticastFollowUp<SceneEvent>, State)? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            defer { state.subscriptions = [] }
            return (events.post(.ended), state)
        }
        guard let (followUp, last) = ended else { return }
        followUp.run()
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
            throw SceneError(.notMember, scene: scene.name) { "\(sender) is not a member" }
        }
    }

    private func locked<Result: Sendable>(
        _ body: (inout State) throws(SceneError) -> Result
    ) throws(SceneError) -> Result {
        try state.withLock { state throws(SceneError) in try body(&state) }
    }
}
