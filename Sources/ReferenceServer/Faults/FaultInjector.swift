import LineProtocol
import Synchronization

/// Decides when a fault strikes, and counts how often it did. Random choices come from the seed alone.
package final class FaultInjector: Sendable {
    /// One that does nothing wrong.
    package static let none = FaultInjector(rates: [:], seed: 0)

    private struct State {
        var random: SeededRandom
        var counts: [Int]
    }

    /// By ``Fault/place``: how likely the fault is where it could be, 0…1.
    private let rates: [Double]
    /// Whether there is any fault at all.
    package let isArmed: Bool
    private let state: Mutex<State>

    /// - Parameter rates: how likely each fault is where it could strike, 0…1.
    package init(rates: [Fault: Double], seed: UInt64) {
        self.rates = Fault.allCases.map { rates[$0] ?? 0 }
        isArmed = rates.values.contains { $0 > 0 }
        state = Mutex(
            State(
                random: SeededRandom(seed: seed),
                counts: [Int](repeating: 0, count: Fault.allCases.count)))
    }

    /// Whether the fault may strike at all.
    package func isArmed(_ fault: Fault) -> Bool { isArmed && rates[fault.place] > 0 }

    /// Whether the fault strikes here: then the caller commits it, and it counts.
    @inline(__always)
    package func strikes(_ fault: Fault) -> Bool { isArmed && decide(fault) }

    @inline(never)
    private func decide(_ fault: Fault) -> Bool {
        guard wouldStrike(fault) else { return false }
        count(fault)
        return true
    }

    /// Whether the fault strikes here, where only what follows shows whether it comes to that. The caller
    /// then counts it itself.
    func wouldStrike(_ fault: Fault) -> Bool {
        let rate = rates[fault.place]
        guard rate > 0 else { return false }
        return rate >= 1 || state.withLock { $0.random.nextFraction() } < rate
    }

    func count(_ fault: Fault) { state.withLock { $0.counts[fault.place] += 1 } }

    /// The text without its last byte, where that fault strikes.
    func shortened(_ text: [UInt8]) -> [UInt8] {
        text.isEmpty || !strikes(.payloadOffByOne) ? text : Array(text.dropLast())
    }

    /// How often each fault that is on has struck.
    package var counts: [(fault: Fault, count: Int)] {
        guard isArmed else { return [] }
        let counts = state.withLock(\.counts)
        return Fault.allCases.filter { rates[$0.place] > 0 }.map { ($0, counts[$0.place]) }
    }
}
