package import LineProtocol
package import Logging

/// The words of one protocol: turns decoded lines into requests to the hall and the hall's notices into
/// lines. All that is chat is the hall's; a voice keeps only what its protocol needs for itself, as a
/// transaction id or a login in two commands.
///
/// A voice lives on the hall's event loop and serves all connections.
package protocol Voice: AnyObject {
    /// A client has connected, and is in the hall without a session.
    func greet(_ id: ConnectionID, _ stage: inout Stage)

    /// A client's line. `line` holds until the call returns.
    func hear(_ line: HeardLine, from id: ConnectionID, _ stage: inout Stage)

    /// A client's line for which the rate limit has no token: it is not decoded.
    func hearTooMuch(from id: ConnectionID, _ stage: inout Stage)

    /// Whether ``hears(_:_:)`` has to be asked at all.
    var choosesHearers: Bool { get }

    /// Whether one of those who are told is to hear it: some protocols tell only who asked for it.
    func hears(_ id: ConnectionID, _ notice: ChatNotice) -> Bool

    /// A client has ended or is to be ended from this side; called after the hall has told of it.
    func forget(_ id: ConnectionID)

    /// Appends the lines that say a notice. `id` is the one that hears it; nil if many do. Nothing is
    /// appended where the protocol does not tell of such a thing.
    func say(
        _ notice: ChatNotice, to id: ConnectionID?, _ hall: borrowing ChatHall,
        _ line: inout [UInt8]
    ) throws(EncodingError)
}

extension Voice {
    package func hearTooMuch(from id: ConnectionID, _ stage: inout Stage) {
        stage.end(id, .tooFast)
    }

    package var choosesHearers: Bool { false }

    package func hears(_ id: ConnectionID, _ notice: ChatNotice) -> Bool { true }
}

/// What a voice works with while it serves one event: the hall, the time, and what is to be done after.
package struct Stage: ~Copyable {
    package var hall: ChatHall
    package var effects: [ChatEffect] = []
    /// In nanoseconds of the hall's clock.
    package var now: Int64 = 0
    package let logger: Logger

    package init(_ hall: consuming ChatHall, logger: Logger) {
        self.hall = hall
        self.logger = logger
    }

    /// Asks the hall; what it refuses is answered with a notice.
    package mutating func ask(_ request: ChatRequest, from id: ConnectionID) {
        hall.receive(request, from: id, at: now, &effects)
    }

    /// Asks the hall, for a voice that has its own words for refusals.
    package mutating func attempt(
        _ request: ChatRequest, from id: ConnectionID
    ) throws(Refusal) {
        try hall.carryOut(request, from: id, at: now, &effects)
    }

    /// Answers a client in the voice's own words.
    package mutating func answer(_ id: ConnectionID, _ line: [UInt8]) {
        if !line.isEmpty { effects.append(.line(id, line)) }
    }

    /// Ends a connection with the hall's last word.
    package mutating func end(_ id: ConnectionID, _ departure: Departure) {
        hall.end(id, departure, &effects)
    }

    /// The peer has ended the connection.
    mutating func disconnect(_ id: ConnectionID) { hall.disconnect(id, &effects) }

    /// Ends what is due.
    mutating func passTime() { hall.passTime(to: now, &effects) }

    /// Tells everybody that the server ends.
    mutating func closeHall() { hall.close(&effects) }

    /// Ends a connection without another word.
    package mutating func close(_ id: ConnectionID, _ departure: Departure) {
        guard hall.isOpen(id) else { return }
        effects.append(.close(id))
        hall.depart(id, departure, &effects)
    }

    /// Ends a connection for a command before its login, where that fault strikes.
    mutating func closesEarly(_ id: ConnectionID) -> Bool { hall.closesEarly(id, &effects) }

    /// The time since 1970, in nanoseconds.
    package var wallTime: Int64 { now + hall.rules.wallClockOffset }
}

/// Something by connection: as long as there were ever connections at once.
struct SeatTable<Value> {
    private var seats: [(generation: UInt32, value: Value)?] = []

    subscript(_ id: ConnectionID) -> Value? {
        get {
            guard seats.indices.contains(Int(id.slot)), let seat = seats[Int(id.slot)],
                seat.generation == id.generation
            else { return nil }
            return seat.value
        }
        set {
            while seats.count <= Int(id.slot) { seats.append(nil) }
            seats[Int(id.slot)] = newValue.map { (id.generation, $0) }
        }
    }
}
