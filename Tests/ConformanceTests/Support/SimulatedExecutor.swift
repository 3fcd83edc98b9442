import Conformance
import LineProtocol
import Scenario
import Session
import SessionTransport
import Transport

/// An executor that runs cases against a server that is a function, with a simulated clock: waits
/// take no time and results are reproducible.
struct SimulatedExecutor: CaseExecutor {
    /// The server's reaction to a line.
    enum Effect: Sendable {
        case send(String)
        case sendLater(String, Int64)
        case close
        case reset

        var isReset: Bool { if case .reset = self { true } else { false } }
    }

    /// Latency in nanoseconds.
    private static let latency: Int64 = 1_000_000

    /// The answer to an operator's line.
    let answer: @Sendable (String) -> [Effect]

    private enum Event {
        case toServer(ConnectionID, [UInt8])
        case toClient(ConnectionID, [UInt8])
        case connected(ConnectionID)
        case closed(ConnectionID, ClosingManner)
    }

    func run(_ program: Program, options: ExecutionOptions) async -> SessionOutcome {
        var session = ScenarioSession(program, options: options)
        var queue: [(time: Int64, event: Event)] = []
        var now: Int64 = 0
        var ended: Set<ConnectionID> = []
        func post(_ event: Event, at time: Int64) {
            queue.insert((time, event), at: queue.firstIndex { $0.time > time } ?? queue.count)
        }
        session.start(at: now)
        // A limit, so that a session that never ends fails the test.
        for _ in 0..<100_000 {
            while let action = session.nextAction() {
                switch action {
                case .connect(let id): post(.connected(id), at: now + Self.latency)
                case .send(let id, let bytes): post(.toServer(id, bytes), at: now + Self.latency)
                default: break
                }
            }
            if let result = session.result {
                return SessionOutcome(result: result, connectionsMade: 1)
            }
            let deadline = session.deadline ?? .max
            guard let next = queue.first, next.time <= deadline else {
                now = max(now, deadline)
                session.handle(.wake, at: now)
                continue
            }
            now = max(now, next.time)
            queue.removeFirst()
            switch next.event {
            case .connected(let id): session.handle(.connected(id), at: now)
            case .toClient(let id, let bytes): session.receive(bytes.span, id, at: now)
            case .closed(let id, let manner): session.handle(.closed(id, manner), at: now)
            case .toServer(let id, let bytes):
                for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
                where !ended.contains(id) {
                    for effect in answer(String(line)) {
                        switch effect {
                        case .send(let text):
                            post(.toClient(id, Array(text.utf8)), at: now + Self.latency)
                        case .sendLater(let text, let delay):
                            post(.toClient(id, Array(text.utf8)), at: now + delay)
                        case .close, .reset:
                            ended.insert(id)
                            let manner: ClosingManner = effect.isReset ? .reset : .fin
                            post(.closed(id, manner), at: now + 2 * Self.latency)
                        }
                    }
                }
            }
        }
        return SessionOutcome(result: ScenarioOutcome(outcome: .inconclusive))
    }
}
