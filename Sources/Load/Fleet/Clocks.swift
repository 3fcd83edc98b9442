import CEpoll
import Glibc

/// The monotonic clock and the wall clock.
package enum Clocks {
    /// Current time on both clocks, in nanoseconds; `wall` counts from 1970.
    package static var now: (steady: Int64, wall: Int64) {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return (lj_now(), Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Converts a monotonic time to nanoseconds since 1970.
    package static func wall(_ steady: Int64) -> Int64 {
        let now = now
        return now.wall + steady - now.steady
    }
}
