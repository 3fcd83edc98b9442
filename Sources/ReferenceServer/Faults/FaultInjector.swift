import LineProtocol
import Synchronization

/// Decides when a fault strikes and counts how often it did. The seed determines all random
/// choices.
package final class FaultInjector: Sendable {
    /// An injector with no armed faults.
    package static let none = FaultInjector(rates: [:], seed: 0)

    private struct State {
        var random: SeededRandom
        var counts: [Int]
    }

    /// Probability of each fault, 0…1, indexed by ``Fault/index``.
    private let rates: [Double]
    package let isArmed: Bool
    private let state: Mutex<State>

    /// Creates an injector of several faults.
    ///
    /// - Parameter rates: the probability of each fault wherever it can occur, from 0 to 1.
    package init(rates: [Fault: Double], seed: UInt64) {
        self.rates = Fault.allCases.map { rates[$0] ?? 0 }
        isArmed = rates.values.contains { $0 > 0 }
        state = Mutex(
            State(
                random: SeededRandom(seed: seed),
                counts: [Int](repeating: 0, count: Fault.allCases.count)))
    }

    /// Returns whether the fault is armed.
    package func isArmed(_ fault: Fault) -> Bool { isArmed && rates[fault.index] > 0 }

    /// Returns whether the fault strikes here, and counts it. The caller must then commit the
    /// fault.
    @inline(__always)
    package func strikes(_ fault: Fault) -> Bool { isArmed && decide(fault) }

    @inline(never)
    private func decide(_ fault: Fault) -> Bool {
        guard wouldStrike(fault) else { return false }
        count(fault)
        return true
    }

    /// Returns whether the fault strikes here without counting it, for callers that learn only
    /// later whether they can commit it. They count it themselves.
    func wouldStrike(_ fault: Fault) -> Bool {
        let rate = rates[fault.index]
        guard rate > 0 else { return false }
        return rate >= 1 || state.withLock { $0.random.nextFraction() } < rate
    }

    func count(_ fault: Fault) { state.withLock { $0.counts[fault.index] += 1 } }

    /// Returns the text without its last byte if that fault strikes.
    func shortened(_ text: [UInt8]) -> [UInt8] {
        text.isEmpty || !strikes(.payloadOffByOne) ? text : Array(text.dropLast())
    }

    /// Strike counts of the armed faults.
    package var counts: [(fault: Fault, count: Int)] {
        guard isArmed else { return [] }
        let counts = state.withLock(\.counts)
        return Fault.allCases.filter { rates[$0.index] > 0 }.map { ($0, counts[$0.index]) }
    }
}
