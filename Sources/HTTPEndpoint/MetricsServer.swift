package import NIOCore
import NIOPosix
package import Transport

/// An HTTP server for `GET /metrics`. The page is generated for each request.
package enum MetricsServer {
    /// Starts listening.
    ///
    /// - Parameters:
    ///   - group: The event loops for connections.
    ///   - page: Returns the page. It is called on an event loop.
    package static func start(
        at address: ListenAddress,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        page: @escaping @Sendable () -> String
    ) async throws(ListenFailure) -> HTTPServer {
        try await HTTPServer.start(at: address, on: group) { answer($0, page) }
    }

    package static func answer(_ request: HTTPRequest, _ page: () -> String) -> HTTPReply {
        let type = "text/plain; version=0.0.4; charset=utf-8"
        return switch (request.method, request.path) {
        case (.get, "/metrics"): .page(HTTPPage(.ok, type: type, page()))
        case (.get, _): .page(HTTPPage(.notFound, type: type, "see /metrics\n"))
        default: .page(HTTPPage(.methodNotAllowed, type: type, "only GET is supported\n"))
        }
    }
}
