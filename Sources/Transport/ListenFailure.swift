import Glibc
import NIOCore

/// The reason why nothing can listen at an address.
package struct ListenFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened, and what to do about it.
    package var message: String
    /// Whether something else has the address.
    package var isAddressInUse: Bool

    /// A failure from an error of the layers below.
    package init(_ error: any Error, at address: ListenAddress) {
        isAddressInUse = (error as? IOError)?.errnoCode == EADDRINUSE
        guard isAddressInUse else {
            message = "cannot listen at \(address): \(error)"
            return
        }
        let advice =
            switch address {
            case .tcp: "another server listens there; choose another port, or 0 for a free one"
            case .unixSocket: "if no server listens there any more, remove the file"
            }
        message = "\(address) is in use: \(advice)"
    }

    /// The message.
    package var description: String { message }
}
