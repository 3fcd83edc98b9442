package import LineProtocol
package import Logging
package import NIOCore
package import Transport

/// How a reference server is set up.
package struct ServerOptions: Sendable {
    package var rules: ChatRules
    /// What the server does wrong on demand.
    package var faults = FaultInjector.none
    /// How much may wait for one client beyond the answers to its own requests, in bytes. One who lets
    /// more pile up is cut off, so that nobody has to wait for it.
    package var sendQueueBytesMax = 1_048_576
    /// How long a closed connection waits for the peer to take the last lines and close too, and with
    /// that how long a shutdown takes at most.
    package var lingerMillisecondsMax: Int64 = 2_000
    /// How many connections may wait to be accepted.
    package var acceptBacklogMax: Int32 = 4_096
    /// Adds what stands between the socket and the lines, such as TLS, to a new connection's pipeline.
    /// What it throws ends the connection.
    package var prepareConnection: (@Sendable (any Channel) throws -> Void)?
    /// Where its numbers can be read over HTTP, at `/metrics`; nil: nowhere.
    package var metrics: ListenAddress?
    package var logger: Logger

    /// The manners and times of the dialect, and no log.
    package init(_ dialect: Dialect) {
        rules = AdapterKind(dialect).rules(dialect)
        logger = Logger(label: "linejudge.server") { _ in SwiftLogNoOpLogHandler() }
    }
}
