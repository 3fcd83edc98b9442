import Diagnostics
import Glibc
import NIOCore
import NIOPosix

/// The reason a connection could not be made, in readable form.
public struct ConnectFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of connection failure. Used for hints on how to fix it.
    public enum Cause: Sendable, Hashable {
        /// The server could not be reached.
        case network
        /// The server answered, but not with TLS.
        case notTLS
        /// The server closed the connection before or during the handshake, or did not complete the
        /// handshake in time.
        case handshake
        /// The server's certificate is not trusted.
        case certificate
        /// The server's certificate is trusted, but it is for a different name.
        case certificateName
        /// The server did not accept the WebSocket handshake.
        case webSocket
    }

    /// The reason, as a single line.
    public var reason: String
    /// The kind of connection failure.
    public var cause: Cause

    /// Creates a failure.
    public init(_ reason: String, _ cause: Cause = .network) {
        self.reason = reason
        self.cause = cause
    }

    /// The reason.
    public var description: String { reason }

    /// Describes an error from the network or TLS libraries.
    ///
    /// - Parameter timeout: the connect timeout in nanoseconds.
    package init(_ error: any Error, endpoint: Endpoint, timeout: Int64) {
        switch error {
        case let failure as ConnectFailure: self = failure
        case let error as NIOConnectionError:
            self.init(Self.reason(error, timeout: timeout))
        case let error as IOError:
            self.init(Self.reason(error, endpoint.location))
        case ChannelError.connectTimeout:
            self.init("\(endpoint.location) did not answer within \(Self.seconds(timeout))")
        case SocketAddressError.unknown(let host, _):
            self.init("cannot resolve the host name `\(host)`")
        default: self.init("\(endpoint.location): \(escapedForDisplay(String(describing: error)))")
        }
    }

    private static func reason(_ error: NIOConnectionError, timeout: Int64) -> String {
        if error.connectionErrors.isEmpty {
            return error.dnsAError == nil && error.dnsAAAAError == nil
                ? "\(error.host):\(error.port) did not answer within \(seconds(timeout))"
                : "cannot resolve the host name `\(error.host)`"
        }
        var reasons: [String] = []
        for failure in error.connectionErrors {
            let target = failure.target
            var location = "\(error.host):\(error.port)"
            if let address = target.ipAddress, let port = target.port {
                location = (address.contains(":") ? "[\(address)]" : address) + ":\(port)"
            }
            let reason =
                (failure.error as? IOError).map { Self.reason($0, location) }
                ?? "\(location) did not answer within \(seconds(timeout))"
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.joined(separator: "; ")
    }

    private static func reason(_ error: IOError, _ address: String) -> String {
        switch error.errnoCode {
        case ECONNREFUSED: "\(address) refused the connection: no server is listening"
        case ETIMEDOUT: "\(address) did not answer"
        case ECONNRESET: "\(address) reset the connection before it was established"
        case ENETUNREACH, EHOSTUNREACH: "no route to \(address)"
        case ENOENT: "there is no socket at \(address)"
        case EACCES, EPERM: "connecting to \(address) is not permitted"
        case EMFILE, ENFILE: "too many open files: raise `ulimit -n`"
        case EADDRNOTAVAIL: "no local port is free for a connection to \(address)"
        default: "\(address): \(SystemError(error.errnoCode))"
        }
    }

    package static func seconds(_ nanoseconds: Int64) -> String {
        nanoseconds % 1_000_000_000 == 0
            ? "\(nanoseconds / 1_000_000_000) s" : "\(nanoseconds / 1_000_000) ms"
    }
}
