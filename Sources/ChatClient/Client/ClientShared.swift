import ChatModel
import Logging
import NIOCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The state that a client's callers share with its event loop.
final class ClientShared: Sendable {
    let events: Multicast<ChatEvent>
    let messages: SharedMessageLog<ChatMessage>
    let desk: SupportDesk
    let services: DataServices
    let sessions: SceneSessions
    private let logger: Logger
    private let closed = Atomic<Bool>(false)
    private let requestCount = Atomic<Int>(0)
    private let unacknowledgedBytes = Atomic<Int>(0)
    private let requestNumber = Atomic<UInt64>(0)

    init(_ options: ChatClientOptions) {
        let logger = options.logger
        let report: @Sendable (MulticastReport) -> Void = { logger.warning("\($0)") }
        events = Multicast(reportingTo: report)
        desk = SupportDesk(reportingTo: report)
        messages = SharedMessageLog(messagesMax: options.messagesMax, reportingTo: report)
        services = DataServices(reportingTo: report)
        sessions = SceneSessions(services: services, reportingTo: report)
        self.logger = logger
        services.publish(desk, as: .desk)
        services.publish(messages, as: .latestMessages)
    }

    var currentSession: ClientSession? { services.current(.session) }

    /// Publishes an event. Updates the models, sessions and log before notifying the listeners.
    func emit(_ event: ChatEvent) {
        switch event {
        case .message(let message) where message.content.type.isKept: messages.insert(message)
        case .loggedIn(let session): services.publish(session, as: .session)
        case .connectionLost, .ended: services.withdraw(.session)
        default: break
        }
        let now = wallClock()
        desk.update(with: event, now: now)
        do {
            try sessions.update(with: event, now: now)
        } catch {
            logger.warning("\(error)")
        }
        events.broadcast(event)
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Marks the client as closed. Returns false if it was already closed.
    func close() -> Bool { !closed.exchange(true, ordering: .acquiringAndReleasing) }

    func forgetSession() {
        services.withdraw(.session)
        sessions.endAll()
    }

    // MARK: Limits

    /// Returns the id for a new request; nil if too many are pending.
    func takeRequest(requestsMax: Int) -> RequestID? {
        if requestCount.add(1, ordering: .relaxed).newValue > requestsMax {
            requestCount.subtract(1, ordering: .relaxed)
            return nil
        }
        return RequestID(number: requestNumber.add(1, ordering: .relaxed).newValue)
    }

    func releaseRequest() { requestCount.subtract(1, ordering: .relaxed) }

    func take(unsent bytes: Int, bytesMax: Int) -> Bool {
        if unacknowledgedBytes.add(bytes, ordering: .relaxed).newValue <= bytesMax { return true }
        unacknowledgedBytes.subtract(bytes, ordering: .relaxed)
        return false
    }

    func release(unsent bytes: Int) { unacknowledgedBytes.subtract(bytes, ordering: .relaxed) }
}

/// Returns the current time in nanoseconds since 1970.
func wallClock() -> Int64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
