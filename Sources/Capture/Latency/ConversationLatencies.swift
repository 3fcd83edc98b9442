package import DialectModel
package import LineProtocol

/// A sink that measures the latencies in a conversation: connecting, logins, answers, and the
/// delivery of messages.
///
/// Requests and answers are matched by the dialect's behaviours, as in load tests, and by its
/// correlation ids. The time of a line is the time at which its packet was captured.
package struct ConversationLatencies: ConversationSink {
    /// Maximum number of pending requests. When it is exceeded, all pending requests are dropped.
    static var pendingMax: Int { 65_536 }
    /// Maximum number of pending requests per key.
    static var pendingPerKeyMax: Int { 1_024 }

    /// The metrics. Latencies refer to them by index.
    package let metrics: [TimedMetric]
    /// The sink that receives the latencies.
    package private(set) var receiver: any LatencySink
    private let shapes: BehaviourShapes
    private let indices: MeasureIndices
    private let correlations: [Int?]
    private var pending: [ExchangeKey: [PendingRequest]] = [:]
    private var ledger = InFlightMessages()
    /// Logins by connection number. Only the first one of each connection is measured.
    private var logins: [Int: LoginState] = [:]
    /// Connections whose connect time has already been recorded.
    private var connected: Set<Int> = []
    /// Names of the operators that have sent messages, by connection number.
    private var senders: [Int: [UInt8]] = [:]
    private var latest: Int64 = 0

    /// State of a connection whose operator has sent its name.
    private enum LoginState { case pending, complete }

    /// Indices of the metrics in the latency results.
    private struct MeasureIndices {
        var login = 0
        var exchanges: [Int] = []
        var relay = 0
        var say = 0
        var byCommand: [Int: Int] = [:]
    }

    /// The key that matches an answer to its request.
    private struct ExchangeKey: Hashable {
        var connection: Int
        /// Index of the exchange; -1 for a command with a correlation id.
        var exchange: Int
        var key: [UInt8]
    }

    /// A request that has not been answered.
    private struct PendingRequest {
        var metric: Int
        var packet: PacketInfo
        /// Time for which the client's receive window had been closed before, in nanoseconds.
        var closed: Int64
    }

    package init(
        _ dialect: BoundDialect, _ receiver: (_ metrics: [TimedMetric]) -> some LatencySink
    ) {
        let signatures = dialect.dialect.commands.signatures
        shapes = BehaviourShapes(dialect)
        correlations = signatures.map { $0.arguments.firstIndex { $0.position == .correlation } }
        var metrics = [TimedMetric(name: "connect")]
        var indices = MeasureIndices()
        func add(_ name: String, _ request: Int? = nil, _ answer: Int? = nil) -> Int {
            let words = [request, answer].compactMap { $0.map { signatures[$0].name } }
            let command = words.isEmpty ? nil : words.joined(separator: " → ")
            metrics.append(TimedMetric(name: name, command: command))
            return metrics.count - 1
        }
        if let login = shapes.login {
            indices.login = add("login", login.request.command, login.answer.command)
        }
        indices.exchanges = shapes.exchanges.map {
            add($0.name, $0.request.command, $0.answer.command)
        }
        if let relay = shapes.relay {
            indices.relay = add("relay", relay.sent.command, relay.received.command)
        }
        if let say = shapes.say {
            indices.say = add("say", say.sent.command, say.received.command)
            for part in ["first", "median", "last", "spread"] { _ = add("say.\(part)") }
        }
        for command in signatures.indices
        where correlations[command] != nil && signatures[command].direction.allows(.fromClient) {
            indices.byCommand[command] = add(signatures[command].name, command)
        }
        self.metrics = metrics
        self.indices = indices
        self.receiver = receiver(metrics)
    }

    // MARK: Events

    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        let time = line.packet.time
        guard time != CaptureRecord.timeUnknown else { return }
        takeConnect(line.connection, time)
        guard message.command != nil, line.marks.isEmpty else { return }
        if line.direction == .fromClient {
            handleSent(line.connection, message, in: bytes, line.packet)
        } else {
            handleReceived(line.connection, message, bytes, line.packet)
        }
    }

    private mutating func takeConnect(_ connection: CapturedConnection, _ time: Int64) {
        guard connected.insert(connection.number).inserted else { return }
        receiver.met(connection.server)
        guard let took = connection.connectNanoseconds else { return }
        receiver.took(took, 0, at: time)
    }

    private mutating func handleSent(
        _ connection: CapturedConnection, _ message: Message, in bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        if let login = shapes.login, connection.startWasSeen, logins[connection.number] == nil,
            login.request.fits(message, in: bytes)
        {
            logins[connection.number] = .pending
        }
        for (index, exchange) in shapes.exchanges.enumerated() {
            // A shared answer can be matched only if no other request has been sent in the
            // meantime.
            if exchange.isShared, exchange.key == nil {
                pending[ExchangeKey(connection: connection.number, exchange: index, key: [])] = nil
            }
            guard exchange.request.fits(message, in: bytes) else { continue }
            let key = exchange.key.flatMap { exchange.request.argument($0, message, in: bytes) }
            wait(connection, index, key ?? [], for: indices.exchanges[index], since: packet)
        }
        if let command = message.command, let metric = indices.byCommand[command],
            let id = id(message, command, bytes)
        {
            wait(connection, -1, id, for: metric, since: packet)
        }
        recordSent(connection, message, bytes, packet.time)
    }

    private func id(_ message: Message, _ command: Int, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard let index = correlations[command], index < message.arguments.count,
            !message.arguments[index].isAbsent
        else { return nil }
        return message.bytes(message.arguments[index], in: bytes)
    }

    private mutating func wait(
        _ connection: CapturedConnection, _ exchange: Int, _ key: [UInt8], for metric: Int,
        since packet: PacketInfo
    ) {
        if pending.count >= Self.pendingMax { pending.removeAll(keepingCapacity: true) }
        receiver.requestSent(at: packet.time)
        let exchangeKey = ExchangeKey(connection: connection.number, exchange: exchange, key: key)
        let isFull = pending[exchangeKey].map { $0.count >= Self.pendingPerKeyMax } ?? false
        guard !isFull else { return }
        pending[exchangeKey, default: []].append(
            PendingRequest(
                metric: metric, packet: packet,
                closed: connection.closedWindow(until: packet.time)))
    }

    /// Records the latency of the oldest pending request with this key.
    private mutating func answered(
        _ connection: CapturedConnection, _ exchange: Int, _ key: [UInt8], by packet: PacketInfo
    ) {
        let exchangeKey = ExchangeKey(connection: connection.number, exchange: exchange, key: key)
        guard let all = pending[exchangeKey], let first = all.first else { return }
        pending[exchangeKey] = all.count > 1 ? Array(all.dropFirst()) : nil
        let took = packet.time &- first.packet.time
        receiver.took(took, first.metric, at: packet.time)
        guard took >= SlowAnswers.nanosecondsMin else { return }
        receiver.wasSlow(
            TimedAnswer(
                first.metric, connection, request: first.packet, answer: packet,
                closedBefore: first.closed))
    }

    private mutating func handleReceived(
        _ connection: CapturedConnection, _ message: Message, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        let time = packet.time
        if logins[connection.number] == .pending, let login = shapes.login,
            login.answer.fits(message, in: bytes)
        {
            logins[connection.number] = .complete
            let start = connection.first.time &+ (connection.connectNanoseconds ?? 0)
            receiver.took(time &- start, indices.login, at: time)
        }
        for (index, exchange) in shapes.exchanges.enumerated()
        where exchange.answer.fits(message, in: bytes)
            && concerns(exchange, connection, message, bytes)
        {
            let key = exchange.key.flatMap { exchange.answer.argument($0, message, in: bytes) }
            answered(connection, index, key ?? [], by: packet)
        }
        if let command = message.command, let id = id(message, command, bytes) {
            answered(connection, -1, id, by: packet)
        }
        recordDelivery(connection, message, bytes, time)
    }

    /// Returns whether an answer may be for this connection's operator: true unless the answer
    /// contains another operator's name.
    private func concerns(
        _ exchange: BehaviourShapes.Exchange, _ connection: CapturedConnection, _ message: Message,
        _ bytes: Span<UInt8>
    ) -> Bool {
        let name = connection.operatorName
        guard !name.isEmpty, let named = exchange.answer.value("name", message, in: bytes) else {
            return true
        }
        return NameFolding.isSame(named, name)
    }

    // MARK: Messages

    private var behaviours: [(delivery: BehaviourShapes.Delivery, isRelay: Bool)] {
        [shapes.relay.map { ($0, true) }, shapes.say.map { ($0, false) }].compactMap(\.self)
    }

    private static func key(_ text: [UInt8]) -> Int {
        var hasher = Hasher()
        unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private mutating func recordSent(
        _ connection: CapturedConnection, _ message: Message, _ bytes: Span<UInt8>, _ time: Int64
    ) {
        let found = behaviours.first { $0.delivery.sent.fits(message, in: bytes) }?.delivery
        guard let found, let text = found.sent.value("text", message, in: bytes) else { return }
        let target = found.target.sent.flatMap { found.sent.argument($0, message, in: bytes) }
        receiver.requestSent(at: time)
        let over = ledger.send(
            InFlightMessages.Message(
                key: Self.key(text), sender: connection.number, target: target ?? [], time: time))
        for text in over { take(text, at: time) }
        senders[connection.number] = connection.operatorName
    }

    private mutating func recordDelivery(
        _ connection: CapturedConnection, _ message: Message, _ bytes: Span<UInt8>, _ time: Int64
    ) {
        guard
            let found = behaviours.first(where: { $0.delivery.received.fits(message, in: bytes) })?
                .delivery,
            let text = found.received.value("text", message, in: bytes)
        else { return }
        let from = found.received.value("from", message, in: bytes)
        let target = found.target.received.flatMap {
            found.received.argument($0, message, in: bytes)
        }
        let (senders, shapes) = (senders, shapes)
        let delivered = ledger.receive(
            Self.key(text), connection.number, time,
            isForOne: { Self.isForOne($0, connection, shapes) }
        ) { sent in
            if let from, let name = senders[sent.sender], !name.isEmpty,
                !NameFolding.isSame(from, name)
            {
                return false
            }
            guard let target, !sent.target.isEmpty else { return true }
            return NameFolding.isSame(target, sent.target)
        }
        guard let delivered else { return }
        receiver.took(delivered.latency, delivered.isForOne ? indices.relay : indices.say, at: time)
    }

    /// Records how long a room message took to reach its first, median and last recipient, and the
    /// time between the first and the last. Called once no more deliveries are expected.
    private mutating func take(_ text: InFlightMessages.Message, at time: Int64) {
        guard !text.isForOne, shapes.say != nil, !text.deliveries.isEmpty else { return }
        let times = text.deliveries.map(\.latency).sorted()
        let parts = [
            times[0], times[(times.count - 1) / 2], times[times.count - 1],
            times[times.count - 1] - times[0],
        ]
        for (index, took) in parts.enumerated() {
            receiver.took(took, indices.say + 1 + index, at: time)
        }
    }

    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        logins[connection.number] = nil
        connected.remove(connection.number)
        latest = packet.time
    }

    package mutating func finish() {
        for text in ledger.finish() { take(text, at: latest) }
    }

    /// Returns whether a message was addressed to this operator alone.
    private static func isForOne(
        _ target: [UInt8], _ connection: CapturedConnection, _ shapes: BehaviourShapes
    ) -> Bool {
        guard let relay = shapes.relay else { return false }
        guard let say = shapes.say, relay.sent.command == say.sent.command else {
            return shapes.say == nil || relay.target.sent != nil
        }
        var name = target[...]
        if let prefix = relay.target.sent.flatMap({ relay.sent.prefix(of: $0) }),
            name.starts(with: prefix)
        {
            name = name.dropFirst(prefix.count)
        }
        return NameFolding.isSame(Array(name), connection.operatorName)
    }
}
