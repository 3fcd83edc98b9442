package import LineProtocol
package import Logging
package import NIOCore
package import Transport

/// Options for a reference server.
package struct ServerOptions: Sendable {
    package var rules: ChatRules
    /// Faults to inject.
    package var faults = FaultInjector.none
    /// Maximum number of bytes queued for one client, not counting answers to its own requests. A
    /// client that exceeds the limit is disconnected, so that no other client has to wait for it.
    package var sendQueueBytesMax = 1_048_576
    /// Maximum time to wait until the peer has read the last lines and closed the connection. A
    /// shutdown takes no longer than this.
    package var lingerMillisecondsMax: Int64 = 2_000
    /// Maximum length of the queue of connections that have not been accepted.
    package var acceptBacklogMax: Int32 = 4_096
    /// Function that adds handlers, such as one for TLS, to the pipeline of a new connection. If it
    /// throws, the connection is closed.
    package var prepareConnection: (@Sendable (any Channel) throws -> Void)?
    /// Address at which metrics are served over HTTP at `/metrics`; nil to serve none.
    package var metrics: ListenAddress?
    package var logger: Logger

    /// Creates options with the dialect's rules and timing, and without logging.
    package init(_ dialect: Dialect) {
        rules = AdapterKind(dialect).rules(dialect)
        logger = Logger(label: "linejudge.server") { _ in SwiftLogNoOpLogHandler() }
    }
}
