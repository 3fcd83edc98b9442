package import LineProtocol
package import Logging
package import NIOCore
package import Transport

/// Options for the reference server.
package struct ServerOptions: Sendable {
    package var rules: ChatRules
    package var faults = FaultInjector.none
    /// Maximum bytes queued for one client, not counting answers to its own requests. A client that
    /// exceeds the limit is disconnected, so that other clients need not wait for it.
    package var sendQueueBytesMax = 1_048_576
    /// Maximum time to wait for the peer to read the last lines and close the connection. A
    /// shutdown takes no longer than this.
    package var lingerMillisecondsMax: Int64 = 2_000
    /// Maximum length of the accept queue.
    package var acceptBacklogMax: Int32 = 4_096
    /// Function that adds handlers, such as one for TLS, to the pipeline of each new connection;
    /// nil to add none. The connection is closed if the function throws an error.
    package var prepareConnection: (@Sendable (any Channel) throws -> Void)?
    /// Extra CPU time to spend on each line, in nanoseconds, to simulate a slower server.
    package var lineCost: Int64 = 0
    /// HTTP address for metrics at `/metrics`; nil to disable them.
    package var metrics: ListenAddress?
    package var logger: Logger

    /// Creates options with the default rules and timing for the dialect, without logging.
    package init(_ dialect: Dialect) {
        rules = AdapterKind(dialect).rules(dialect)
        logger = Logger(label: "linejudge.server") { _ in SwiftLogNoOpLogHandler() }
    }
}
