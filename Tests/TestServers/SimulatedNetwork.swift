import LineProtocol
import NIOCore
import NIOEmbedded
import ReferenceServer
import Results
import Scenario
import Session
import SessionTransport
import Transport

private typealias ConnectionID = Session.ConnectionID

/// A network that transfers data between sessions and the server. Messages arrive in order after
/// one millisecond.
final class SimulatedNetwork {
    private static let latency = TimeAmount.milliseconds(1)
    /// The time the server gets after a session to close connections that the client closed.
    private static let drainTime = TimeAmount.seconds(3)

    private let loop = EmbeddedEventLoop()
    private let server: ServerEngine
    private var links: [ConnectionID: SimulatedLink] = [:]
    private var events: [Event] = []

    private enum Event {
        case connected(ConnectionID)
        case bytes(ConnectionID, [UInt8])
        case closed(ConnectionID)
        case cannotSecure(ConnectionID)
    }

    init(_ dialect: Dialect, _ options: ServerOptions) throws {
        server = try ServerEngine(speaking: dialect, options: options, on: loop)
    }

    private var now: Int64 { Int64(clamping: loop.now.uptimeNanoseconds) }

    func run(_ program: Program, options: ExecutionOptions) -> SessionOutcome {
        var session = ScenarioSession(program, options: options)
        session.start(at: now)
        var connectionsMade = 0
        while true {
            while let action = session.nextAction() { perform(action) }
            if let result = session.result {
                closeAll()
                return SessionOutcome(result: result, connectionsMade: connectionsMade)
            }
            if let deadline = session.deadline, deadline <= now {
                session.handle(.wake, at: now)
                continue
            }
            let next = now + Self.latency.nanoseconds
            advance(to: min(next, session.deadline ?? next))
            // Handling an event may make the next one obsolete.
            var batch: [Event] = []
            swap(&batch, &events)
            for event in batch {
                switch event {
                case .connected(let id):
                    connectionsMade += 1
                    session.handle(.connected(id), at: now)
                case .bytes(let id, let bytes): session.receive(bytes.span, id, at: now)
                case .closed(let id): session.handle(.closed(id, .fin), at: now)
                case .cannotSecure(let id):
                    session.handle(
                        .securingFailed(
                            id, reason: "this network has no TLS", isServersFault: false),
                        at: now)
                }
                while let action = session.nextAction() { perform(action) }
            }
        }
    }

    private func advance(to time: Int64) {
        loop.advanceTime(to: .uptimeNanoseconds(UInt64(clamping: time)))
    }

    // MARK: Actions

    private func perform(_ action: SessionAction) {
        switch action {
        case .connect(let id): connect(id)
        case .send(let id, let bytes): links[id]?.send(bytes)
        case .hold(let id): links[id]?.hold()
        case .release(let id): links[id]?.release()
        case .halfClose(let id): links[id]?.endInput()
        case .close(let id):
            links[id]?.isForgotten = true
            links[id]?.endInput()
        case .abort(let id):
            links[id]?.isForgotten = true
            links[id]?.reset()
        case .startTLS(let id): events.append(.cannotSecure(id))
        case .setReading(let id, let isReading): links[id]?.setReading(isReading)
        }
    }

    private func connect(_ id: ConnectionID) {
        let link = SimulatedLink(loop, latency: Self.latency) { arrival in
            switch arrival {
            case .connected: self.events.append(.connected(id))
            case .bytes(let bytes): self.events.append(.bytes(id, bytes))
            case .end: self.events.append(.closed(id))
            }
        }
        links[id] = link
        link.connect(to: server.handler())
    }

    /// Closes the remaining connections and waits for the server to do the same.
    private func closeAll() {
        for link in links.values {
            link.isForgotten = true
            link.setReading(true)
            link.endInput()
        }
        let end = loop.now + Self.drainTime
        while loop.now < end, links.values.contains(where: \.isOpen) {
            loop.advanceTime(by: Self.latency)
        }
        for link in links.values { link.reset() }
        // Deliver resets before the next session starts.
        loop.advanceTime(by: Self.latency * 2)
        links = [:]
        events = []
    }

    func shutDown() {
        _ = server.shutDown()
        closeAll()
    }
}
