import CEpoll
import Glibc

/// An epoll instance, which is closed when it is released.
final class EventQueue: Sendable {
    /// The file descriptor; negative if epoll has failed.
    let descriptor = lj_poll_create()

    deinit { if descriptor >= 0 { close(descriptor) } }
}
