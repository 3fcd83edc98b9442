import Diagnostics
import Glibc
import NIOCore
import NIOPosix

/// Why a connection could not be made, in words for a person.
public struct ConnectFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, for whoever wants to say what to do.
    public enum Cause: Sendable, Hashable {
        /// The server was not reached.
        case network
        /// It answered, but not in TLS.
        case notTLS
        /// It ended TLS before that began, or let it wait.
        case handshake
        /// It showed a certificate that is not to be trusted.
        case certificate
    }

    /// The reason, in a line.
    public var reason: String
    /// What kind of failure it is.
    public var cause: Cause

    /// A failure for a reason.
    public init(_ reason: String, _ cause: Cause = .network) {
        self.reason = reason
        self.cause = cause
    }

    /// The reason.
    public var description: String { reason }

    /// What an error of the layers below means.
    ///
    /// - Parameter timeout: how long the connection was waited for, in nanoseconds.
    package init(_ error: any Error, endpoint: Endpoint, timeout: Int64) {
        switch error {
        case let failure as ConnectFailure: self = failure
        case let error as NIOConnectionError:
            self.init(Self.reason(error, timeout: timeout))
        case let error as IOError:
            self.init(Self.reason(error, endpoint.place))
        case ChannelError.connectTimeout:
            self.init("\(endpoint.place) did not answer within \(Self.seconds(timeout))")
        case SocketAddressError.unknown(let host, _):
            self.init("the host name `\(host)` is not known")
        default: self.init("\(endpoint.place): \(escapedForDisplay(String(describing: error)))")
        }
    }

    private static func reason(_ error: NIOConnectionError, timeout: Int64) -> String {
        if error.connectionErrors.isEmpty {
            return error.dnsAError == nil && error.dnsAAAAError == nil
                ? "\(error.host):\(error.port) did not answer within \(seconds(timeout))"
                : "the host name `\(error.host)` is not known"
        }
        var reasons: [String] = []
        for failure in error.connectionErrors {
            let target = failure.target
            var place = "\(error.host):\(error.port)"
            if let address = target.ipAddress, let port = target.port {
                place = (address.contains(":") ? "[\(address)]" : address) + ":\(port)"
            }
            let reason =
                (failure.error as? IOError).map { Self.reason($0, place) }
                ?? "\(place) did not answer within \(seconds(timeout))"
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.joined(separator: "; ")
    }

    private static func reason(_ error: IOError, _ place: String) -> String {
        switch error.errnoCode {
        case ECONNREFUSED: "\(place) refused the connection: nothing listens there"
        case ETIMEDOUT: "\(place) did not answer"
        case ECONNRESET: "\(place) reset the connection while it was made"
        case ENETUNREACH, EHOSTUNREACH: "there is no way to \(place)"
        case ENOENT: "there is no socket at \(place)"
        case EACCES, EPERM: "connecting to \(place) is not permitted"
        case EMFILE, ENFILE: "too many open files: raise `ulimit -n`"
        case EADDRNOTAVAIL: "no local port is free for a connection to \(place)"
        default: "\(place): \(text(error.errnoCode))"
        }
    }

    private static func text(_ code: CInt) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    package static func seconds(_ nanoseconds: Int64) -> String {
        nanoseconds % 1_000_000_000 == 0
            ? "\(nanoseconds / 1_000_000_000) s" : "\(nanoseconds / 1_000_000) ms"
    }
}
