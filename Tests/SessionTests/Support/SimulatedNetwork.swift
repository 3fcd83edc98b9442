import Scenario
import Session

/// The reaction of a simulated server to its clients.
protocol SimulatedServer {
    mutating func connected(_ client: ConnectionID) -> [ServerEffect]
    mutating func received(_ line: String, from client: ConnectionID) -> [ServerEffect]
    mutating func disconnected(_ client: ConnectionID) -> [ServerEffect]
}

extension SimulatedServer {
    mutating func connected(_ client: ConnectionID) -> [ServerEffect] { [] }
    mutating func disconnected(_ client: ConnectionID) -> [ServerEffect] { [] }
}

enum ServerEffect {
    case send(ConnectionID, String)
    /// Sends after a delay in nanoseconds.
    case sendLater(ConnectionID, String, Int64)
    case close(ConnectionID)
    case reset(ConnectionID)
    case refuse(ConnectionID)
}

/// A network with a simulated clock. Hours take milliseconds, and a seed determines every delay.
struct SimulatedNetwork<Server: SimulatedServer> {
    private enum Event {
        case toServer(ConnectionID, [UInt8])
        case endToServer(ConnectionID)
        case toClient(ConnectionID, [UInt8])
        case connected(ConnectionID)
        case secured(ConnectionID)
        case refused(ConnectionID)
        case closed(ConnectionID, ClosingManner)
    }

    var server: Server
    /// True to deliver the server's output one byte at a time.
    var dripFeeds = false
    private(set) var actions: [SessionAction] = []
    private var queue: [(time: Int64, order: Int, event: Event)] = []
    private var order = 0
    private var random: UInt64
    private var lastDelivery: [ConnectionID: Int64] = [:]
    private var buffers: [ConnectionID: [UInt8]] = [:]
    private var live: Set<ConnectionID> = []
    private let terminator: UInt8

    init(_ server: Server, seed: UInt64 = 1, terminator: UInt8 = 0x0A) {
        self.server = server
        self.terminator = terminator
        random = seed
    }

    /// Runs a session to its result. The number of steps is limited, so that a stuck session fails
    /// the test.
    mutating func run(_ session: inout ScenarioSession) -> ScenarioOutcome? {
        var now: Int64 = 0
        session.start(at: now)
        for _ in 0..<1_000_000 {
            while let action = session.nextAction() { carryOut(action, at: now) }
            if let result = session.result { return result }
            let next = queue.first?.time
            guard let deadline = session.deadline else { return nil }
            if let next, next <= deadline {
                now = max(now, next)
                let event = queue.removeFirst().event
                deliver(event, to: &session, at: now)
            } else {
                now = max(now, deadline)
                session.handle(.wake, at: now)
            }
        }
        return nil
    }

    private mutating func carryOut(_ action: SessionAction, at now: Int64) {
        actions.append(action)
        switch action {
        case .connect(let id): arrive(now, id, .connected(id))
        case .send(let id, let bytes): arrive(now, id, .toServer(id, bytes))
        case .halfClose(let id), .close(let id), .abort(let id): arrive(now, id, .endToServer(id))
        case .startTLS(let id): arrive(now, id, .secured(id))
        case .setReading, .hold, .release: break
        }
    }

    /// Schedules an event, never before an earlier one of the same connection.
    private mutating func arrive(_ now: Int64, _ id: ConnectionID, _ event: Event) {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let delay = Int64(random >> 40) % 2_000_000 + 100_000
        let time = max(now + delay, (lastDelivery[id] ?? 0) + 1)
        lastDelivery[id] = time
        order += 1
        let index = queue.firstIndex { $0.time > time } ?? queue.count
        queue.insert((time, order, event), at: index)
    }

    private mutating func deliver(
        _ event: Event, to session: inout ScenarioSession, at now: Int64
    ) {
        switch event {
        case .connected(let id):
            let effects = server.connected(id)
            if effects.contains(where: { if case .refuse = $0 { true } else { false } }) {
                session.handle(.connectFailed(id, reason: "connection refused"), at: now)
                return
            }
            live.insert(id)
            session.handle(.connected(id), at: now)
            apply(effects, at: now)
        case .toServer(let id, let bytes):
            guard live.contains(id) else { return }
            buffers[id, default: []] += bytes
            while let end = buffers[id]?.firstIndex(of: terminator) {
                var line = Array((buffers[id] ?? [])[..<end])
                buffers[id]?.removeFirst(end + 1)
                if line.last == 0x0D { line.removeLast() }
                apply(server.received(String(decoding: line, as: UTF8.self), from: id), at: now)
            }
        case .endToServer(let id):
            guard live.remove(id) != nil else { return }
            apply(server.disconnected(id), at: now)
        case .toClient(let id, let bytes):
            if dripFeeds {
                for byte in bytes { session.receive([byte].span, id, at: now) }
            } else {
                session.receive(bytes.span, id, at: now)
            }
        case .closed(let id, let manner):
            live.remove(id)
            session.handle(.closed(id, manner), at: now)
        case .secured(let id): session.handle(.secured(id), at: now)
        case .refused(let id):
            session.handle(.connectFailed(id, reason: "connection refused"), at: now)
        }
    }

    private mutating func apply(_ effects: [ServerEffect], at now: Int64) {
        for effect in effects {
            switch effect {
            case .send(let id, let text): arrive(now, id, .toClient(id, Array(text.utf8)))
            case .sendLater(let id, let text, let delay):
                arrive(now + delay, id, .toClient(id, Array(text.utf8)))
            case .close(let id): arrive(now, id, .closed(id, .fin))
            case .reset(let id): arrive(now, id, .closed(id, .reset))
            case .refuse: break
            }
        }
    }
}
