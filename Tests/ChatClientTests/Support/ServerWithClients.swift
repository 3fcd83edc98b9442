import ChatClient
import ChatModel
import DialectFiles
import LineProtocol
import ReferenceServer
import Synchronization
import Transport

/// Returns the built-in dialect `livechat`.
func livechat() throws -> Dialect { try DialectLibrary.find("livechat").dialect }

/// A server on a free port and its clients, all closed at the end.
final class ServerWithClients: Sendable {
    let server: ReferenceServer
    let dialect: Dialect
    private let clients = Mutex<[ChatClient]>([])

    private init(_ server: ReferenceServer, _ dialect: Dialect) {
        self.server = server
        self.dialect = dialect
    }

    var endpoint: Endpoint { Endpoint(.host("127.0.0.1", port: server.port)) }

    func client(
        _ change: (inout ChatClientOptions) -> Void = { _ in }
    ) throws -> ChatClient {
        var options = ChatClientOptions(dialect)
        change(&options)
        let client = try ChatClient(speaking: dialect, at: endpoint, options: options)
        clients.withLock { $0.append(client) }
        return client
    }

    /// Returns a client logged in with a nickname.
    func client(_ nickname: String) async throws -> ChatClient {
        let client = try client()
        try await client.logIn(as: ChatAccount(nickname: nickname))
        return client
    }

    static func run(
        _ change: (inout ServerOptions) -> Void = { _ in },
        dialect: Dialect? = nil, _ body: (ServerWithClients) async throws -> Void
    ) async throws {
        let dialect = try dialect ?? livechat()
        var options = ServerOptions(dialect)
        change(&options)
        let server = try await ReferenceServer.start(speaking: dialect, options: options)
        let together = ServerWithClients(server, dialect)
        do {
            try await body(together)
        } catch {
            await together.end()
            throw error
        }
        await together.end()
    }

    private func end() async {
        for client in clients.withLock({ $0 }) { client.close() }
        await server.shutdown()
    }
}

/// Waits for the next matching event.
func next<Found>(
    _ events: inout AsyncStream<ChatEvent>.Iterator, _ wanted: (ChatEvent) -> Found?
) async -> Found? {
    while let event = await events.next() {
        if let found = wanted(event) { return found }
    }
    return nil
}

extension ChatEvent {
    /// The text of a message; nil for other events.
    var text: String? { if case .message(let message) = self { message.text } else { nil } }
}
