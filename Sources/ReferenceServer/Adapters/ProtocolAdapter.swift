package import LineProtocol
package import Logging

/// An adapter for a chat protocol. It converts decoded lines to service requests, and service
/// notices to lines.
///
/// The service owns all chat state. An adapter keeps only protocol-specific state, such as
/// transaction IDs or the progress of a two-command login. It runs on the service's event loop and
/// serves all connections.
package protocol ProtocolAdapter: AnyObject {
    /// Handles a new connection, which has no session yet.
    func greet(_ id: ClientID, _ context: inout RequestContext)

    /// Handles a line from a client. `line` is valid only until the call returns.
    func receive(_ line: RequestLine, from id: ClientID, _ context: inout RequestContext)

    /// Handles a line over the rate limit. The line has not been decoded.
    func receiveOverLimit(from id: ClientID, _ context: inout RequestContext)

    /// True if ``receives(_:_:)`` must be called for each recipient.
    var filtersReceivers: Bool { get }

    /// Returns whether a client receives a notice, for protocols in which clients subscribe to
    /// notices.
    func receives(_ id: ClientID, _ notice: ChatNotice) -> Bool

    /// Releases the adapter's state for a connection. Called after the service has dropped the
    /// connection.
    func forget(_ id: ClientID)

    /// Handles an event of the service, such as a login.
    func observe(_ note: ChatNote, _ context: inout RequestContext)

    /// Returns a number that identifies the form in which a client receives notices. Clients with
    /// the same form receive the same lines, so a notice is encoded only once for all of them.
    func form(of id: ClientID) -> Int

    /// True if clients may receive notices in different forms.
    var hasForms: Bool { get }

    /// Appends the lines for a notice. Appends nothing if the protocol has no line for it.
    ///
    /// - Parameter id: The recipient, or one of several recipients with the same form. It is nil
    ///   for several recipients if ``hasForms`` is false, and for a connection that is refused.
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

    package var hasForms: Bool { false }

    package func form(of id: ClientID) -> Int { 0 }

    package func observe(_ note: ChatNote, _ context: inout RequestContext) {}

    package func receives(_ id: ClientID, _ notice: ChatNotice) -> Bool { true }
}

/// The context for handling one event: the service, the time and a list of effects.
package struct RequestContext: ~Copyable {
    package var service: ChatService
    package var effects: [ChatEffect] = []
    /// Current time on the service's clock, in nanoseconds.
    package var now: Int64 {
        get { service.now }
        set { service.now = newValue }
    }
    package let logger: Logger

    package init(_ service: consuming ChatService, logger: Logger) {
        self.service = service
        self.logger = logger
    }

    /// Sends a request to the service. If the service refuses it, the client receives a notice.
    package mutating func ask(_ request: ChatRequest, from id: ClientID) {
        service.receive(request, from: id, at: now, &effects)
    }

    /// Sends a request to the service, for adapters that encode refusals themselves.
    ///
    /// - Throws: ``Refusal`` if the service refuses the request.
    package mutating func attempt(
        _ request: ChatRequest, from id: ClientID
    ) throws(Refusal) {
        try service.carryOut(request, from: id, at: now, &effects)
    }

    /// Sends the client a line that the adapter has encoded.
    package mutating func answer(_ id: ClientID, _ line: [UInt8]) {
        if !line.isEmpty { effects.append(.line(id, line)) }
    }

    /// Ends a connection after sending a closing notice.
    package mutating func end(_ id: ClientID, _ departure: DisconnectReason) {
        service.end(id, departure, &effects)
    }

    mutating func disconnect(_ id: ClientID) { service.disconnect(id, &effects) }

    mutating func passTime() { service.passTime(to: now, &effects) }

    /// Notifies every client that the server is shutting down.
    mutating func closeService() { service.close(&effects) }

    /// Closes a connection without sending a closing notice.
    package mutating func close(_ id: ClientID, _ departure: DisconnectReason) {
        guard service.isOpen(id) else { return }
        effects.append(.close(id))
        service.depart(id, departure, &effects)
    }

    /// Simulates a fault: closes a connection that sends a command before login. Returns whether
    /// the fault occurred.
    mutating func closesEarly(_ id: ClientID) -> Bool { service.closesEarly(id, &effects) }

    /// Current time in nanoseconds since 1970.
    package var wallTime: Int64 { now + service.rules.wallClockOffset }
}

/// A table with one value per connection. Its size is the peak number of open connections.
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
