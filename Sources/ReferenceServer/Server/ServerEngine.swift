package import LineProtocol
package import NIOCore

/// The chat server without a listener: connections are whatever channels its handlers are added to.
///
/// It lives on one event loop, whose clock is the only one it reads.
package struct ServerEngine {
    private let driver: ServiceDriver

    /// A server that speaks `dialect`.
    ///
    /// - Throws: ``ServerError`` if the dialect lacks a command that the server needs.
    package init(
        speaking dialect: Dialect, options: ServerOptions, on eventLoop: any EventLoop
    ) throws(ServerError) {
        driver = try ServiceDriver(dialect, options, eventLoop)
    }

    /// A handler that serves one connection.
    package func handler() -> some ChannelDuplexHandler { ConnectionHandler(driver) }

    /// How many connections, sessions and chats there are now.
    package var counts: ServerCounts { driver.counts }

    /// Tells every client, sends what waits, and closes all connections.
    package func shutDown() -> EventLoopFuture<Void> { driver.shutDown() }
}
