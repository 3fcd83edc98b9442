package import LineProtocol
package import NIOCore

/// The chat server without a listener. It serves any channel to which one of its handlers is added.
///
/// It runs on one event loop and reads only that loop's clock.
package struct ServerEngine {
    private let driver: ServiceDriver

    /// Creates a server that speaks `dialect`.
    ///
    /// - Throws: ``ServerError`` if the dialect lacks a command that the server needs.
    package init(
        speaking dialect: Dialect, options: ServerOptions, on eventLoop: any EventLoop
    ) throws(ServerError) {
        driver = try ServiceDriver(dialect, options, eventLoop)
    }

    /// Returns a handler that serves one connection.
    package func handler() -> some ChannelDuplexHandler { ClientHandler(driver) }

    package var counts: ServerCounts { driver.counts }

    /// Notifies every client, flushes the clients' output, and closes all connections.
    package func shutDown() -> EventLoopFuture<Void> { driver.shutDown() }
}
