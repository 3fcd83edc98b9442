import ChatClient
import NIOCore
import ReferenceServer
import Testing
import Transport
import TransportTLS

@Suite(.timeLimit(.minutes(5))) struct WebSocketTests {
    @Test(arguments: [false, true])
    func aClientTalksOverWebSocket(isSecure: Bool) async throws {
        try await withCertificate { certificate, key in
            let security =
                isSecure ? try TLSServer(certificatePath: certificate, keyPath: key) : nil
            var address = WebSocketAddress()
            address.speak(try livechat())
            let webSocket = WebSocketServer(address)
            let prepare: @Sendable (any Channel) throws -> Void = { channel in
                try security?.secure(channel)
                try webSocket.prepare(channel)
            }
            try await ServerWithClients.run({ $0.prepareConnection = prepare }) { chat in
                var options = TLSOptions()
                options.authorityPath = certificate
                let scheme = isSecure ? "wss" : "ws"
                let joe = try ChatClient(
                    speaking: chat.dialect,
                    at: try Endpoint(parsing: "\(scheme)://\(chat.endpoint.location)/chat"),
                    security: isSecure ? try TLSClient(options) : nil)
                var events = try joe.events().makeAsyncIterator()
                try await joe.logIn(as: ChatAccount(nickname: "Joe"))
                try await joe.say("to myself", to: "Joe")
                #expect(await next(&events) { $0.text } == "to myself")
                try await joe.logOut()
                joe.close()
            }
        }
    }
}
