package import DialectModel
package import LineProtocol

/// Times what a conversation's clients wait for: connections, logins, answers, texts on their way to others.
///
/// Who answers what is known from the dialect: from its behaviours, which loads are made of, too, and from
/// its correlation ids. Times are those of the packets, at the place where they were captured.
package struct ConversationLatencies<Taker: LatencySink>: ConversationSink {
    /// The most requests that wait for their answers at once; beyond, they are forgotten.
    static var waitingMax: Int { 65_536 }
    /// The most that wait for the same answer one after another.
    static var inRowMax: Int { 1_024 }

    /// What is timed; times name it by its place.
    package let measures: [TimedMeasure]
    /// Where times go.
    package private(set) var taker: Taker
    private let shapes: BehaviourShapes
    private let places: Places
    private let correlations: [Int?]
    private var waiting: [Waiting: [Asked]] = [:]
    private var ledger = InFlightMessages()
    /// Connections whose operator has said its name and is not logged in yet.
    private var loggingIn: Set<Int> = []
    /// Connections that were timed as such.
    private var connected: Set<Int> = []
    /// What they are called who have said something.
    private var senders: [Int: [UInt8]] = [:]
    private var latest: Int64 = 0

    /// Where the measures stand.
    private struct Places {
        var login = 0
        var exchanges: [Int] = []
        var relay = 0
        var say = 0
        var byCommand: [Int: Int] = [:]
    }

    /// What tells which request an answer belongs to.
    private struct Waiting: Hashable {
        var connection: Int
        /// The exchange's place; -1 for all commands with a correlation id.
        var exchange: Int
        var key: [UInt8]
    }

    /// A request that waits for its answer.
    private struct Asked {
        var measure: Int
        var time: Int64
    }

    /// Times the dialect's conversations.
    package init(_ dialect: BoundDialect, _ taker: (_ measures: [TimedMeasure]) -> Taker) {
        let signatures = dialect.dialect.commands.signatures
        shapes = BehaviourShapes(dialect)
        correlations = signatures.map { $0.arguments.firstIndex { $0.place == .correlation } }
        var measures = [TimedMeasure(name: "connect")]
        var places = Places()
        func add(_ name: String, _ request: Int? = nil, _ answer: Int? = nil) -> Int {
            let words = [request, answer].compactMap { $0.map { signatures[$0].name } }
            let command = words.isEmpty ? nil : words.joined(separator: " → ")
            measures.append(TimedMeasure(name: name, command: command))
            return measures.count - 1
        }
        if let login = shapes.login {
            places.login = add("login", login.request.command, login.answer.command)
        }
        places.exchanges = shapes.exchanges.map {
            add($0.name, $0.request.command, $0.answer.command)
        }
        if let relay = shapes.relay {
            places.relay = add("relay", relay.said.command, relay.heard.command)
        }
        if let say = shapes.say {
            places.say = add("say", say.said.command, say.heard.command)
            for part in ["first", "median", "last", "spread"] { _ = add("say.\(part)") }
        }
        for command in signatures.indices
        where correlations[command] != nil && signatures[command].direction.allows(.fromClient) {
            places.byCommand[command] = add(signatures[command].name, command)
        }
        self.measures = measures
        self.places = places
        self.taker = taker(measures)
    }

    // MARK: Events

    /// A line, decoded.
    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        let time = line.packet.time
        guard time != CaptureRecord.timeUnknown else { return }
        takeConnect(line.connection, time)
        guard message.command != nil, line.marks.isEmpty else { return }
        if line.direction == .fromClient {
            said(line.connection, message, bytes, time)
        } else {
            heard(line.connection, message, bytes, time)
        }
    }

    private mutating func takeConnect(_ connection: Connection, _ time: Int64) {
        guard connected.insert(connection.number).inserted else { return }
        taker.met(connection.server)
        guard let took = connection.connectNanoseconds else { return }
        taker.took(took, 0, at: time)
    }

    private mutating func said(
        _ connection: Connection, _ message: Message, _ bytes: Span<UInt8>, _ time: Int64
    ) {
        if let login = shapes.login, connection.startWasSeen, login.request.fits(message, in: bytes)
        {
            loggingIn.insert(connection.number)
        }
        for (place, exchange) in shapes.exchanges.enumerated() {
            // An answer that others get, too, tells only that nothing else was asked meanwhile.
            if exchange.isShared, exchange.key == nil {
                waiting[Waiting(connection: connection.number, exchange: place, key: [])] = nil
            }
            guard exchange.request.fits(message, in: bytes) else { continue }
            let key = exchange.key.flatMap { exchange.request.argument($0, message, in: bytes) }
            wait(connection, place, key ?? [], Asked(measure: places.exchanges[place], time: time))
        }
        if let command = message.command, let measure = places.byCommand[command],
            let id = id(message, command, bytes)
        {
            wait(connection, -1, id, Asked(measure: measure, time: time))
        }
        say(connection, message, bytes, time)
    }

    private func id(_ message: Message, _ command: Int, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard let place = correlations[command], place < message.arguments.count,
            !message.arguments[place].isAbsent
        else { return nil }
        return message.bytes(message.arguments[place], in: bytes)
    }

    private mutating func wait(
        _ connection: Connection, _ exchange: Int, _ key: [UInt8], _ asked: Asked
    ) {
        if waiting.count >= Self.waitingMax { waiting.removeAll(keepingCapacity: true) }
        taker.asked(at: asked.time)
        let waiter = Waiting(connection: connection.number, exchange: exchange, key: key)
        let isFull = waiting[waiter].map { $0.count >= Self.inRowMax } ?? false
        if !isFull { waiting[waiter, default: []].append(asked) }
    }

    /// The oldest request that waits for this.
    private mutating func answered(
        _ connection: Connection, _ exchange: Int, _ key: [UInt8], _ time: Int64
    ) {
        let waiter = Waiting(connection: connection.number, exchange: exchange, key: key)
        guard let all = waiting[waiter], let first = all.first else { return }
        waiting[waiter] = all.count > 1 ? Array(all.dropFirst()) : nil
        taker.took(time &- first.time, first.measure, at: time)
    }

    private mutating func heard(
        _ connection: Connection, _ message: Message, _ bytes: Span<UInt8>, _ time: Int64
    ) {
        if loggingIn.contains(connection.number), let login = shapes.login,
            login.answer.fits(message, in: bytes)
        {
            loggingIn.remove(connection.number)
            let start = connection.first.time &+ (connection.connectNanoseconds ?? 0)
            taker.took(time &- start, places.login, at: time)
        }
        for (place, exchange) in shapes.exchanges.enumerated()
        where exchange.answer.fits(message, in: bytes)
            && concerns(exchange, connection, message, bytes)
        {
            let key = exchange.key.flatMap { exchange.answer.argument($0, message, in: bytes) }
            answered(connection, place, key ?? [], time)
        }
        if let command = message.command, let id = id(message, command, bytes) {
            answered(connection, -1, id, time)
        }
        hear(connection, message, bytes, time)
    }

    /// Whether an answer that names an operator names this one.
    private func concerns(
        _ exchange: BehaviourShapes.Exchange, _ connection: Connection, _ message: Message,
        _ bytes: Span<UInt8>
    ) -> Bool {
        let name = connection.operatorName
        guard !name.isEmpty, let told = exchange.answer.value("name", message, in: bytes) else {
            return true
        }
        return Self.isSame(told, name)
    }

    static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count
            && zip(one, other).allSatisfy { $0 | 0x20 == $1 | 0x20 && ($0 == $1 || $0 >= 0x40) }
    }

    // MARK: Texts

    private var talks: [(talk: BehaviourShapes.Talk, isRelay: Bool)] {
        [shapes.relay.map { ($0, true) }, shapes.say.map { ($0, false) }].compactMap(\.self)
    }

    private static func key(_ text: [UInt8]) -> Int {
        var hasher = Hasher()
        unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private mutating func say(
        _ connection: Connection, _ message: Message, _ bytes: Span<UInt8>, _ time: Int64
    ) {
        let found = talks.first { $0.talk.said.fits(message, in: bytes) }?.talk
        guard let found, let text = found.said.value("text", message, in: bytes) else { return }
        let target = found.target.said.flatMap { found.said.argument($0, message, in: bytes) }
        taker.asked(at: time)
        let over = ledger.say(
            InFlightMessages.Text(
                key: Self.key(text), sender: connection.number, target: target ?? [], time: time))
        for text in over { take(text, at: time) }
        senders[connection.number] = connection.operatorName
    }

    private mutating func hear(
        _ connection: Connection, _ message: Message, _ bytes: Span<UInt8>, _ time: Int64
    ) {
        guard let found = talks.first(where: { $0.talk.heard.fits(message, in: bytes) })?.talk,
            let text = found.heard.value("text", message, in: bytes)
        else { return }
        let from = found.heard.value("from", message, in: bytes)
        let target = found.target.heard.flatMap { found.heard.argument($0, message, in: bytes) }
        let (senders, shapes) = (senders, shapes)
        let heard = ledger.hear(
            Self.key(text), connection.number, time,
            isForOne: { Self.isForOne($0, connection, shapes) }
        ) { said in
            if let from, let name = senders[said.sender], !name.isEmpty, !Self.isSame(from, name) {
                return false
            }
            guard let target, !said.target.isEmpty else { return true }
            return Self.isSame(target, said.target)
        }
        guard let heard else { return }
        taker.took(heard.took, heard.isForOne ? places.relay : places.say, at: time)
    }

    /// Times how a text spread over its room, once that is over.
    private mutating func take(_ text: InFlightMessages.Text, at time: Int64) {
        guard !text.isForOne, shapes.say != nil, !text.hearings.isEmpty else { return }
        let times = text.hearings.map(\.took).sorted()
        let parts = [
            times[0], times[(times.count - 1) / 2], times[times.count - 1],
            times[times.count - 1] - times[0],
        ]
        for (place, took) in parts.enumerated() {
            taker.took(took, places.say + 1 + place, at: time)
        }
    }

    /// A connection was seen for the first time.
    package mutating func opened(_ connection: Connection, _ packet: PacketInfo) {}

    /// Something else has happened.
    package mutating func note(
        _ note: ConversationNote, _ connection: Connection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {}

    /// A connection is over.
    package mutating func ended(
        _ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        loggingIn.remove(connection.number)
        connected.remove(connection.number)
        latest = packet.time
    }

    /// The capture is over.
    package mutating func finish() {
        for text in ledger.finish() { take(text, at: latest) }
    }

    /// Whether a text was for this operator alone.
    private static func isForOne(
        _ target: [UInt8], _ connection: Connection, _ shapes: BehaviourShapes
    ) -> Bool {
        guard let relay = shapes.relay else { return false }
        guard let say = shapes.say, relay.said.command == say.said.command else {
            return shapes.say == nil || relay.target.said != nil
        }
        var name = target[...]
        if let prefix = relay.target.said.flatMap({ relay.said.prefix(of: $0) }),
            name.starts(with: prefix)
        {
            name = name.dropFirst(prefix.count)
        }
        return isSame(Array(name), connection.operatorName)
    }
}
