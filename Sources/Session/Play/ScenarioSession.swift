import Diagnostics
import LineProtocol
import Scenario

/// Plays a program: bytes and a clock go in; bytes, a deadline and in the end a result come out.
///
/// It knows no sockets and reads no clock. Times are nanoseconds on any clock that does not go back.
/// The driver calls ``start(at:)``, then for each thing that happens ``receive(_:_:at:)`` or
/// ``handle(_:at:)``; after each call it carries out every ``nextAction()`` and sees to it that it calls
/// `handle(.wake)` not before and soon after ``deadline``, until there is a ``result``.
public struct ScenarioSession: ~Copyable {
    /// Prepares to play.
    public init(_ program: Program, options: PlayOptions) {}

    /// When the session must be woken at the latest; nil: only by what arrives.
    public var deadline: Int64? { nil }

    /// What came of it, once it is over.
    public var result: PlayResult? { nil }

    /// Begins.
    public mutating func start(at now: Int64) {}

    /// Takes bytes that arrived.
    public mutating func receive(_ bytes: Span<UInt8>, _ connection: ConnectionID, at now: Int64) {}

    /// Takes any other event.
    public mutating func handle(_ event: SessionEvent, at now: Int64) {}

    /// Ends at once, because the person wants it: the result is inconclusive unless there is one.
    public mutating func interrupt(at now: Int64) {}

    /// What to do next; nil when nothing is left to do for now.
    public mutating func nextAction() -> SessionAction? { nil }
}
