import Glibc
import NIOCore

/// The reason a socket cannot listen on an address.
package struct ListenFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem and how to fix it.
    package var message: String
    package var isAddressInUse: Bool

    /// Describes an error from the network library.
    package init(_ error: any Error, at address: ListenAddress) {
        isAddressInUse = (error as? IOError)?.errnoCode == EADDRINUSE
        guard isAddressInUse else {
            let isUnknown = error is SocketAddressError.UnknownHost
            message = "cannot listen on \(address): \(isUnknown ? "unknown host" : "\(error)")"
            return
        }
        let advice =
            switch address {
            case .tcp: "stop the other server or choose another port (0 for any free port)"
            case .unixSocket: "if no server is using it, remove the file"
            }
        message = "\(address) is in use: \(advice)"
    }

    package var description: String { message }
}
