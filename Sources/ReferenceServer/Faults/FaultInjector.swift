import LineProtocol
import Synchronization

/// An injector that decides when faults occur, and counts them. All random choices are derived from
/// the seed.
package final class FaultInjector: Sendable {
    /// An injector that never injects a fault.
    package static let none = FaultInjector(rates: [:], seed: 0)

    private struct State {
        var random: SeededRandom
        var counts: [Int]
    }

    /// Probability of each fault, from 0 to 1. The index is ``Fault/index``.
    private let rates: [Double]
    package let isArmed: Bool
    private let state: Mutex<State>

    /// Creates an injector for the given faults.
    ///
    /// - Parameter rates: Probability that each fault occurs when it can, from 0 to 1.
    package init(rates: [Fault: Double], seed: UInt64) {
        self.rates = Fault.allCases.map { rates[$0] ?? 0 }
        isArmed = rates.values.contains { $0 > 0 }
        state = Mutex(
            State(
                random: SeededRandom(seed: seed),
                counts: [Int](repeating: 0, count: Fault.allCases.count)))
    }

    package func isArmed(_ fault: Fault) -> Bool { isArmed && rates[fault.index] > 0 }

    /// Returns whether the fault occurs now. If it does, it is counted, and the caller must
    /// simulate it.
    @inline(__always)
    package func shouldInject(_ fault: Fault) -> Bool { isArmed && decide(fault) }

    @inline(never)
    private func decide(_ fault: Fault) -> Bool {
        guard wouldInject(fault) else { return false }
        count(fault)
        return true
    }

    /// Returns whether the fault occurs now, without counting it. Used if the caller does not know
    /// yet whether it can simulate the fault. If it does, it must call ``count(_:)``.
    func wouldInject(_ fault: Fault) -> Bool {
        let rate = rates[fault.index]
        guard rate > 0 else { return false }
        return rate >= 1 || state.withLock { $0.random.nextFraction() } < rate
    }

    func count(_ fault: Fault) { state.withLock { $0.counts[fault.index] += 1 } }

    /// Returns the text. If the `payloadOffByOne` fault occurs, the last byte is removed.
    func shortened(_ text: [UInt8]) -> [UInt8] {
        text.isEmpty || !shouldInject(.payloadOffByOne) ? text : Array(text.dropLast())
    }

    /// Number of times each armed fault has occurred.
    package var counts: [(fault: Fault, count: Int)] {
        guard isArmed else { return [] }
        let counts = state.withLock(\.counts)
        return Fault.allCases.filter { rates[$0.index] > 0 }.map { ($0, counts[$0.index]) }
    }
}
