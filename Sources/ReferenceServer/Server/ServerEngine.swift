package import LineProtocol
package import NIOCore

/// A chat server without a listening socket. To make it serve a channel, add one of its handlers to
/// the channel's pipeline.
///
/// It runs on a single event loop and uses only that loop's clock.
package struct ServerEngine {
    private let driver: ServiceDriver

    /// Creates a server for `dialect`.
    ///
    /// - Throws: ``ServerError`` if the dialect lacks a command that the server needs.
    package init(
        speaking dialect: Dialect, options: ServerOptions, on eventLoop: any EventLoop
    ) throws(ServerError) {
        driver = try ServiceDriver(dialect, options, eventLoop)
    }

    /// Returns a handler that serves one connection.
    package func handler() -> some ChannelDuplexHandler { ClientHandler(driver) }

    /// Notifies every client, flushes the clients' output, and closes all connections.
    package func shutDown() -> EventLoopFuture<Void> { driver.shutDown() }
}
