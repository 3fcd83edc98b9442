import Transport
import Session

/// A state machine driven by ``SessionLoop``: `ScenarioSession`, or a scripted machine in tests.
protocol SessionMachine: ~Copyable, SendableMetatype {
    var deadline: Int64? { get }
    var result: ScenarioOutcome? { get }
    mutating func start(at now: Int64)
    mutating func receive(_ bytes: Span<UInt8>, _ connection: ConnectionID, at now: Int64)
    mutating func handle(_ event: SessionEvent, at now: Int64)
    mutating func interrupt(at now: Int64)
    mutating func nextAction() -> SessionAction?
}

extension ScenarioSession: SessionMachine {}
