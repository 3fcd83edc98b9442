import Glibc
import NIOCore

/// Returns true if the error was caused by a reset from the peer.
package func isReset(_ error: any Error) -> Bool {
    guard let error = error as? IOError else { return false }
    return error.errnoCode == ECONNRESET || error.errnoCode == EPIPE
}
