package import LineProtocol
package import Logging
package import NIOCore
package import Transport

/// Options of a reference server.
package struct ServerOptions: Sendable {
    package var rules: ChatRules
    /// Faults to inject.
    package var faults = FaultInjector.none
    /// Most bytes queued for one client, not counting answers to its own requests. A client over
    /// the limit is disconnected, so that no one has to wait for it.
    package var sendQueueBytesMax = 1_048_576
    /// Longest wait for the peer to read the last lines and close; also the longest time a shutdown
    /// takes.
    package var lingerMillisecondsMax: Int64 = 2_000
    /// Listen backlog.
    package var acceptBacklogMax: Int32 = 4_096
    /// Adds handlers such as TLS to the pipeline of a new connection. If it throws, the connection
    /// is closed.
    package var prepareConnection: (@Sendable (any Channel) throws -> Void)?
    /// Address that serves metrics over HTTP at `/metrics`; nil to serve none.
    package var metrics: ListenAddress?
    package var logger: Logger

    /// Creates options with the dialect's rules and timing, and no logging.
    package init(_ dialect: Dialect) {
        rules = AdapterKind(dialect).rules(dialect)
        logger = Logger(label: "linejudge.server") { _ in SwiftLogNoOpLogHandler() }
    }
}
