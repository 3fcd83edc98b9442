import Glibc

/// The result of a read or write: the number of bytes, or a negative error number.
enum SocketResult {
    /// Returns true if the same call can succeed later: the socket is empty or full, or the kernel is
    /// short of memory.
    static func isTemporary(_ result: Int) -> Bool {
        switch Int32(truncatingIfNeeded: -result) {
        case EAGAIN, EINTR, ENOBUFS, ENOMEM: true
        default: false
        }
    }
}
