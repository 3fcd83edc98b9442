package import LineProtocol
package import Logging

/// Translator for one protocol, which converts decoded lines to service requests and service
/// notices to lines.
///
/// The service owns all chat state. An adapter keeps only what its protocol needs, such as
/// transaction ids or the state of a login that takes two commands. It runs on the service's event
/// loop and serves all connections.
package protocol ProtocolAdapter: AnyObject {
    /// Handles a new connection, which has no session yet.
    func greet(_ id: ClientID, _ context: inout RequestContext)

    /// Handles a line from a client. `line` is valid only until the call returns.
    func receive(_ line: RequestLine, from id: ClientID, _ context: inout RequestContext)

    /// Handles a line that exceeds the rate limit and is not decoded.
    func receiveOverLimit(from id: ClientID, _ context: inout RequestContext)

    /// True if ``receives(_:_:)`` must be called for each recipient.
    var filtersReceivers: Bool { get }

    /// Returns whether a client receives a notice, for protocols in which clients subscribe.
    func receives(_ id: ClientID, _ notice: ChatNotice) -> Bool

    /// Releases the state of a connection. Called after the service has dropped the connection.
    func forget(_ id: ClientID)

    /// Appends the lines of a notice. Appends nothing if the protocol has no such message.
    ///
    /// - Parameter id: The recipient; nil if there are several.
    func encode(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError)
}

extension ProtocolAdapter {
    package func receiveOverLimit(from id: ClientID, _ context: inout RequestContext) {
        context.end(id, .tooFast)
    }

    package var filtersReceivers: Bool { false }

    package func receives(_ id: ClientID, _ notice: ChatNotice) -> Bool { true }
}

/// The state that an adapter uses to handle one event: the service, the time and the resulting
/// effects.
package struct RequestContext: ~Copyable {
    package var service: ChatService
    package var effects: [ChatEffect] = []
    /// Current time in nanoseconds, on the service's clock.
    package var now: Int64 = 0
    package let logger: Logger

    package init(_ service: consuming ChatService, logger: Logger) {
        self.service = service
        self.logger = logger
    }

    /// Sends a request to the service. If it is refused, the client receives a notice.
    package mutating func ask(_ request: ChatRequest, from id: ClientID) {
        service.receive(request, from: id, at: now, &effects)
    }

    /// Sends a request to the service.
    ///
    /// - Throws: ``Refusal`` if the request is refused, for adapters that encode refusals
    ///   themselves.
    package mutating func attempt(
        _ request: ChatRequest, from id: ClientID
    ) throws(Refusal) {
        try service.carryOut(request, from: id, at: now, &effects)
    }

    /// Sends a client a line that the adapter has encoded.
    package mutating func answer(_ id: ClientID, _ line: [UInt8]) {
        if !line.isEmpty { effects.append(.line(id, line)) }
    }

    /// Ends a connection with a closing notice.
    package mutating func end(_ id: ClientID, _ departure: DisconnectReason) {
        service.end(id, departure, &effects)
    }

    mutating func disconnect(_ id: ClientID) { service.disconnect(id, &effects) }

    mutating func passTime() { service.passTime(to: now, &effects) }

    /// Notifies every client that the server is shutting down.
    mutating func closeService() { service.close(&effects) }

    /// Closes a connection without a closing notice.
    package mutating func close(_ id: ClientID, _ departure: DisconnectReason) {
        guard service.isOpen(id) else { return }
        effects.append(.close(id))
        service.depart(id, departure, &effects)
    }

    /// Closes a connection that sends a command before its login, if the corresponding fault
    /// strikes.
    mutating func closesEarly(_ id: ClientID) -> Bool { service.closesEarly(id, &effects) }

    /// Unix time, in nanoseconds.
    package var wallTime: Int64 { now + service.rules.wallClockOffset }
}

/// A table of values by connection. It is as long as the largest number of connections so far.
struct SlotTable<Value> {
    private var slots: [(generation: UInt32, value: Value)?] = []

    subscript(_ id: ClientID) -> Value? {
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
