package import LineProtocol
package import Logging

/// The words of one protocol: turns decoded lines into requests to the service and the service's notices into
/// lines. All that is chat is the service's; a adapter keeps only what its protocol needs for itself, as a
/// transaction id or a login in two commands.
///
/// A adapter lives on the service's event loop and serves all connections.
package protocol ProtocolAdapter: AnyObject {
    /// A client has connected, and is in the service without a session.
    func greet(_ id: ConnectionID, _ context: inout RequestContext)

    /// A client's line. `line` holds until the call returns.
    func hear(_ line: RequestLine, from id: ConnectionID, _ context: inout RequestContext)

    /// A client's line for which the rate limit has no token: it is not decoded.
    func hearTooMuch(from id: ConnectionID, _ context: inout RequestContext)

    /// Whether ``hears(_:_:)`` has to be asked at all.
    var choosesHearers: Bool { get }

    /// Whether one of those who are told is to hear it: some protocols tell only who asked for it.
    func hears(_ id: ConnectionID, _ notice: ChatNotice) -> Bool

    /// A client has ended or is to be ended from this side; called after the service has told of it.
    func forget(_ id: ConnectionID)

    /// Appends the lines that say a notice. `id` is the one that hears it; nil if many do. Nothing is
    /// appended where the protocol does not tell of such a thing.
    func say(
        _ notice: ChatNotice, to id: ConnectionID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError)
}

extension ProtocolAdapter {
    package func hearTooMuch(from id: ConnectionID, _ context: inout RequestContext) {
        context.end(id, .tooFast)
    }

    package var choosesHearers: Bool { false }

    package func hears(_ id: ConnectionID, _ notice: ChatNotice) -> Bool { true }
}

/// What a adapter works with while it serves one event: the service, the time, and what is to be done after.
package struct RequestContext: ~Copyable {
    package var service: ChatService
    package var effects: [ChatEffect] = []
    /// In nanoseconds of the service's clock.
    package var now: Int64 = 0
    package let logger: Logger

    package init(_ service: consuming ChatService, logger: Logger) {
        self.service = service
        self.logger = logger
    }

    /// Asks the service; what it refuses is answered with a notice.
    package mutating func ask(_ request: ChatRequest, from id: ConnectionID) {
        service.receive(request, from: id, at: now, &effects)
    }

    /// Asks the service, for a adapter that has its own words for refusals.
    package mutating func attempt(
        _ request: ChatRequest, from id: ConnectionID
    ) throws(Refusal) {
        try service.carryOut(request, from: id, at: now, &effects)
    }

    /// Answers a client in the adapter's own words.
    package mutating func answer(_ id: ConnectionID, _ line: [UInt8]) {
        if !line.isEmpty { effects.append(.line(id, line)) }
    }

    /// Ends a connection with the service's last word.
    package mutating func end(_ id: ConnectionID, _ departure: DisconnectReason) {
        service.end(id, departure, &effects)
    }

    /// The peer has ended the connection.
    mutating func disconnect(_ id: ConnectionID) { service.disconnect(id, &effects) }

    /// Ends what is due.
    mutating func passTime() { service.passTime(to: now, &effects) }

    /// Tells everybody that the server ends.
    mutating func closeService() { service.close(&effects) }

    /// Ends a connection without another word.
    package mutating func close(_ id: ConnectionID, _ departure: DisconnectReason) {
        guard service.isOpen(id) else { return }
        effects.append(.close(id))
        service.depart(id, departure, &effects)
    }

    /// Ends a connection for a command before its login, where that fault strikes.
    mutating func closesEarly(_ id: ConnectionID) -> Bool { service.closesEarly(id, &effects) }

    /// The time since 1970, in nanoseconds.
    package var wallTime: Int64 { now + service.rules.wallClockOffset }
}

/// Something by connection: as long as there were ever connections at once.
struct SlotTable<Value> {
    private var slots: [(generation: UInt32, value: Value)?] = []

    subscript(_ id: ConnectionID) -> Value? {
        get {
            guard slots.indices.contains(Int(id.slot)), let slot = slots[Int(id.slot)],
                slot.generation == id.generation
            else { return nil }
            return slot.value
        }
        set {
            while slots.count <= Int(id.slot) { slots.append(nil) }
            slots[Int(id.slot)] = newValue.map { (id.generation, $0) }
        }
    }
}
