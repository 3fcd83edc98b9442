/// A timer wheel with at most one timer per operator, stored in flat arrays. Setting and taking a
/// timer take constant time. Times are in nanoseconds.
///
/// A timer expires at the multiple of ``tick`` nearest to the time for which it is set, but not
/// before the next one. Rounding down instead would shorten think times on average, and send
/// messages before the time from which their latency is measured.
package struct TimerWheel: Sendable {
    /// Resolution in nanoseconds.
    package static let tick: Int64 = 1_000_000
    /// Number of slots in the wheel. Timers further in the future take more than one revolution.
    static let slotCount = 4096

    private static let none: Int32 = -1
    private var heads = [Int32](repeating: none, count: slotCount)
    private var following: [Int32]
    /// Number of the tick at which each operator's timer expires.
    private var due: [Int64]
    private var currentTick: Int64
    /// Number of timers currently set.
    package private(set) var count = 0

    /// Creates a wheel that starts at `now`, for up to `operators` operators.
    package init(operators: Int, now: Int64) {
        following = [Int32](repeating: Self.none, count: operators)
        due = [Int64](repeating: 0, count: operators)
        currentTick = now / Self.tick
    }

    /// Sets an operator's timer, which must not be set already.
    package mutating func set(_ index: Int, at time: Int64) {
        let tick = max(Self.nearestTick(time), currentTick + 1)
        let slot = Int(tick % Int64(Self.slotCount))
        due[index] = tick
        following[index] = heads[slot]
        heads[slot] = Int32(index)
        count += 1
    }

    private static func nearestTick(_ time: Int64) -> Int64 {
        time / tick + (time % tick < tick / 2 ? 0 : 1)
    }

    /// Time when ``take(at:into:)`` must next be called; nil if no timer is set.
    package var nextTick: Int64? { count > 0 ? (currentTick + 1) * Self.tick : nil }

    /// Appends the operators with expired timers, each with its timer's expiry time.
    package mutating func take(at now: Int64, into result: inout [(index: Int, time: Int64)]) {
        let tick = now / Self.tick
        guard count > 0 else {
            currentTick = max(tick, currentTick)
            return
        }
        // Even after a long pause, a single revolution visits every slot.
        let first = max(currentTick + 1, tick - Int64(Self.slotCount) + 1)
        currentTick = max(tick, currentTick)
        guard first <= tick else { return }
        for each in first...tick { empty(Int(each % Int64(Self.slotCount)), &result) }
    }

    private mutating func empty(_ slot: Int, _ result: inout [(index: Int, time: Int64)]) {
        var entry = heads[slot]
        heads[slot] = Self.none
        while entry != Self.none {
            let index = Int(entry)
            entry = following[index]
            if due[index] <= currentTick {
                count -= 1
                result.append((index, due[index] * Self.tick))
            } else {
                following[index] = heads[slot]
                heads[slot] = Int32(index)
            }
        }
    }
}
