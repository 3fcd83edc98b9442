import LineProtocol

/// Sent messages that may still be delivered to more recipients.
struct InFlightMessages {
    /// Maximum number of messages to remember. When it is exceeded, the oldest messages expire.
    static let messagesMax = 8_192
    /// Maximum number of deliveries to remember, across all messages.
    static let deliveriesMax = 400_000
    /// Maximum age of a message, in nanoseconds.
    static let nanosecondsMax: Int64 = 60_000_000_000

    /// A message in flight, with its deliveries so far.
    struct Message {
        var key: Int
        var sender: Int
        var target: [UInt8]
        var time: Int64
        /// Connections that have received the message, each with the latency in nanoseconds.
        var deliveries: [(connection: Int, latency: Int64)] = []
        /// True if the message was addressed to a single operator. This becomes known when the
        /// message is received.
        var isForOne = false
    }

    /// The messages, ordered by number; the number of the first message is ``start``.
    private var messages: [Message] = []
    private var start = 0
    private var byKey: [Int: [Int]] = [:]
    private var deliveries = 0

    /// Adds a message, and returns any messages that have expired.
    mutating func send(_ message: Message) -> [Message] {
        let expired = expire(message.time, adding: 1)
        byKey[message.key, default: []].append(start + messages.count)
        messages.append(message)
        return expired
    }

    /// Records a delivery to a connection. If several messages match, the delivery counts for the
    /// oldest one that the connection had not yet received. Returns the latency; nil if no message
    /// matches.
    mutating func receive(
        _ key: Int, _ connection: Int, _ time: Int64, isForOne: ([UInt8]) -> Bool,
        where fits: (Message) -> Bool
    ) -> (latency: Int64, isForOne: Bool)? {
        for number in byKey[key] ?? [] {
            let index = number - start
            guard messages.indices.contains(index), messages[index].sender != connection,
                !messages[index].deliveries.contains(where: { $0.connection == connection }),
                fits(messages[index])
            else { continue }
            let latency = time &- messages[index].time
            messages[index].deliveries.append((connection, latency))
            deliveries += 1
            messages[index].isForOne = isForOne(messages[index].target)
            return (latency, messages[index].isForOne)
        }
        return nil
    }

    /// Removes and returns expired messages. If too many messages or deliveries are remembered,
    /// removes the oldest eighth of the messages instead.
    mutating func expire(_ now: Int64, adding: Int = 0) -> [Message] {
        if messages.count + adding > Self.messagesMax || deliveries > Self.deliveriesMax {
            return remove(max(1, messages.count / 8))
        }
        guard let first = messages.first, now &- first.time > Self.nanosecondsMax else { return [] }
        return remove(
            messages.firstIndex { now &- $0.time <= Self.nanosecondsMax } ?? messages.count)
    }

    /// Removes and returns all messages.
    mutating func finish() -> [Message] { remove(messages.count) }

    private mutating func remove(_ count: Int) -> [Message] {
        guard count > 0 else { return [] }
        let expired = Array(messages.prefix(count))
        messages.removeFirst(count)
        for (offset, message) in expired.enumerated() {
            deliveries -= message.deliveries.count
            byKey[message.key]?.removeAll { $0 == start + offset }
            if byKey[message.key]?.isEmpty ?? false { byKey[message.key] = nil }
        }
        start += count
        return expired
    }
}
