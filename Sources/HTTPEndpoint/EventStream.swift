import NIOCore
import NIOHTTP1
import Synchronization

/// Server-sent events for all subscribed clients. A slow client misses events; a client that stops
/// reading is disconnected.
package final class EventStream: Sendable {
    /// Maximum consecutive events a client can miss before it is disconnected.
    package static let missedMax = 30

    private struct Client {
        var channel: any Channel
        var missed = 0
    }

    private struct State {
        var clients: [ObjectIdentifier: Client] = [:]
        /// The last event, which is the first one that a new client receives; nil if there was
        /// none.
        var last: ByteBuffer?
        var isOver = false
    }

    private let state = Mutex(State())

    package init() {}

    package var hasClients: Bool { state.withLock { !$0.clients.isEmpty } }

    /// Sends an event to each client whose send buffer has room.
    package func send(_ name: String, _ text: String) {
        let event = Self.event(name, text)
        let (ready, dead) = state.withLock { state in
            state.last = event
            var (ready, dead): ([any Channel], [any Channel]) = ([], [])
            for (id, client) in state.clients {
                let canWrite = client.channel.isWritable
                let missed = canWrite ? 0 : client.missed + 1
                state.clients[id]?.missed = missed
                if canWrite { ready.append(client.channel) }
                if missed > Self.missedMax { dead.append(client.channel) }
            }
            return (ready, dead)
        }
        for channel in ready { Self.write(event, to: channel) }
        for channel in dead { channel.close(promise: nil) }
    }

    /// Sends a final event, then closes each connection.
    package func finish(_ name: String, _ text: String) {
        send(name, text)
        let channels = state.withLock { state in
            state.isOver = true
            return state.clients.values.map(\.channel)
        }
        for channel in channels { Self.end(channel) }
    }

    /// Adds a client whose response headers have been sent.
    func add(_ channel: any Channel) {
        let (last, isOver) = state.withLock { state in
            state.clients[ObjectIdentifier(channel)] = Client(channel: channel)
            return (state.last, state.isOver)
        }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { _ = $0.clients.removeValue(forKey: ObjectIdentifier(channel)) }
        }
        if let last { Self.write(last, to: channel) }
        if isOver { Self.end(channel) }
    }

    private static func write(_ event: ByteBuffer, to channel: any Channel) {
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(event)), promise: nil)
    }

    private static func end(_ channel: any Channel) {
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    /// Formats an event. Each line of the text becomes a `data:` line.
    static func event(_ name: String, _ text: String) -> ByteBuffer {
        var bytes = Array("event: \(name)\ndata: ".utf8)
        bytes.reserveCapacity(text.utf8.count + text.utf8.count / 16 + 64)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n"): bytes += Array("\ndata: ".utf8)
            // A carriage return would also end the line.
            case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        bytes += [UInt8(ascii: "\n"), UInt8(ascii: "\n")]
        return ByteBuffer(bytes: bytes)
    }
}
