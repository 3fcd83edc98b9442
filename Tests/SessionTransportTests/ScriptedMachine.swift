import Scenario
import Session
import Synchronization

@testable import SessionTransport
import Transport

/// An event that a machine received.
enum ScriptEvent: Sendable, Equatable {
    case started, connected, fin, reset, woken, interrupted
    case connectFailed(String)
    case received(String)
    case closing(String)
    case secured
    case securingFailed(String, isServersFault: Bool)

    var failure: String? { if case .connectFailed(let reason) = self { reason } else { nil } }
}

/// The actions available to a script.
struct Script {
    var actions: [SessionAction] = []
    var deadline: Int64?
    var now: Int64 = 0
    var isOver = false
    /// Everything received so far.
    var received = ""

    mutating func act(_ actions: SessionAction...) { self.actions += actions }

    mutating func send(_ text: String) { act(.send(.first, Array(text.utf8))) }
}

extension ConnectionID {
    static let first = ConnectionID(operatorIndex: 0, generation: 1)
}

/// Events that machines received, for later inspection.
final class Log: Sendable {
    private let entries = Mutex<[ScriptEvent]>([])
    private let times = Mutex<[Int64]>([])

    var all: [ScriptEvent] { entries.withLock { $0 } }
    var allTimes: [Int64] { times.withLock { $0 } }

    /// The same, with all received data merged at its first position.
    var joined: [ScriptEvent] {
        var joined: [ScriptEvent] = []
        for entry in all {
            if case .received(let more) = entry, case .received(let text) = joined.last {
                joined[joined.count - 1] = .received(text + more)
            } else {
                joined.append(entry)
            }
        }
        return joined
    }

    func add(_ event: ScriptEvent, at time: Int64) {
        entries.withLock { $0.append(event) }
        times.withLock { $0.append(time) }
    }
}

/// A session controlled by a test.
struct ScriptedMachine: ~Copyable, SessionMachine {
    typealias Reaction = @Sendable (ScriptEvent, inout Script) -> Void

    private var script = Script()
    private let log: Log
    private let react: Reaction

    init(_ log: Log, _ react: @escaping Reaction) {
        self.log = log
        self.react = react
    }

    var deadline: Int64? { script.deadline }

    var result: ScenarioOutcome? { script.isOver ? ScenarioOutcome(outcome: .passed) : nil }

    mutating func start(at now: Int64) {
        script.act(.connect(.first))
        take(.started, now)
    }

    mutating func receive(_ bytes: Span<UInt8>, _ connection: ConnectionID, at now: Int64) {
        var copy: [UInt8] = []
        for index in bytes.indices { copy.append(bytes[index]) }
        let text = String(decoding: copy, as: UTF8.self)
        script.received += text
        take(.received(text), now)
    }

    mutating func handle(_ event: SessionEvent, at now: Int64) {
        switch event {
        case .connected: take(.connected, now)
        case .connectFailed(_, let reason): take(.connectFailed(reason), now)
        case .closing(_, let reason): take(.closing(reason), now)
        case .secured: take(.secured, now)
        case .securingFailed(_, let reason, let isServersFault):
            take(.securingFailed(reason, isServersFault: isServersFault), now)
        case .closed(_, .fin): take(.fin, now)
        case .closed(_, .reset): take(.reset, now)
        case .wake: take(.woken, now)
        }
    }

    mutating func interrupt(at now: Int64) {
        take(.interrupted, now)
        script.isOver = true
    }

    mutating func nextAction() -> SessionAction? {
        script.actions.isEmpty ? nil : script.actions.removeFirst()
    }

    private mutating func take(_ event: ScriptEvent, _ now: Int64) {
        script.now = now
        log.add(event, at: now)
        react(event, &script)
    }
}

extension SessionDriver {
    /// Runs a script and returns the events it received.
    func run(
        at endpoint: Endpoint, _ react: @escaping ScriptedMachine.Reaction
    ) async -> (outcome: SessionOutcome, log: Log) {
        let log = Log()
        let outcome = await run(at: endpoint) { ScriptedMachine(log, react) }
        return (outcome, log)
    }
}
