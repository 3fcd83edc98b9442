import CEpoll
import Glibc

/// What the clocks say.
package enum Clocks {
    /// The clock that never goes back, and that of the world: nanoseconds since 1970.
    package static var now: (steady: Int64, wall: Int64) {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return (lj_now(), Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// When a time of the clock that never goes back is, in nanoseconds since 1970.
    package static func wall(_ steady: Int64) -> Int64 {
        let now = now
        return now.wall + steady - now.steady
    }
}
