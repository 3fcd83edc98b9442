import Glibc
import NIOCore

/// Whether an error is what a reset by the peer looks like from here.
package func isReset(_ error: any Error) -> Bool {
    guard let error = error as? IOError else { return false }
    return error.errnoCode == ECONNRESET || error.errnoCode == EPIPE
}
