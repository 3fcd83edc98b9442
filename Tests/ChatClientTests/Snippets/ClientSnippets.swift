import ChatClient
import ChatModel
import LineProtocol
import ReferenceServer
import Testing
import Transport
import TransportTLS

/// The code in the documentation catalogs of `ChatClient` and `TransportTLS`.
@Suite(.timeLimit(.minutes(5))) struct ClientSnippets {
    @Test func session() async throws {
        try await ServerWithClients.run { chat in
            let (dialect, address, nickname) = (chat.dialect, chat.endpoint.description, "Joe")
            // snippet: session
            let client = try ChatClient(speaking: dialect, at: address)
            let events = try client.events()
            let printing = Task {
                for await case .message(let message) in events where !message.isOwn {
                    print("\(message.sender): \(message.text)")
                }
            }
            try await client.logIn(as: ChatAccount(nickname: nickname))
            try await client.join(2134)
            try await client.say("Hello!", in: 2134)
            try await client.logOut()
            client.close()
            await printing.value
            // end
            #expect(client.messages.messages.map(\.text) == ["Hello!"])
        }
    }

    @Test func errors() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let (client, nickname) = (try chat.client(), "JOE")
            var printed: [String] = []
            func print(_ text: String) { printed.append(text) }
            // snippet: errors
            do {
                try await client.logIn(as: ChatAccount(nickname: nickname))
            } catch let error as ChatError where error.isConflict {
                print("the nickname \(nickname) is taken, choose another")
            } catch {
                print("cannot log in: \(error)")
            }
            // end
            #expect(printed == ["the nickname JOE is taken, choose another"])
            joe.close()
        }
    }

    @Test func tls() async throws {
        try await withCertificate { authorityPath, key in
            let server = try TLSServer(certificatePath: authorityPath, keyPath: key)
            try await ServerWithClients.run({ $0.prepareConnection = { try server.secure($0) } }) {
                chat in
                let (dialect, port) = (chat.dialect, chat.server.port ?? 0)
                // snippet: tls
                var options = TLSOptions()
                options.authorityPath = authorityPath
                let client = try ChatClient(
                    speaking: dialect, at: "tls://localhost:\(port)", security: TLSClient(options))
                // end
                try await client.logIn(as: ChatAccount(nickname: "Joe"))
                try await client.logOut()
                client.close()
            }
        }
    }
}
