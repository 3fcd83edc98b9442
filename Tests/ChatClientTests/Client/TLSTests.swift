import ChatClient
import Foundation
import ReferenceServer
import Testing
import Transport
import TransportTLS

@Suite(.timeLimit(.minutes(5))) struct TLSTests {
    private func client(_ chat: ServerWithClients, _ options: TLSOptions?) throws -> ChatClient {
        var endpoint = chat.endpoint
        endpoint.isSecure = true
        return try ChatClient(
            speaking: chat.dialect, at: endpoint,
            security: try options.map { try TLSClient($0) })
    }

    @Test func aClientTalksOverTLS() async throws {
        try await withCertificate { certificate, key in
            let server = try TLSServer(certificatePath: certificate, keyPath: key)
            try await ServerWithClients.run({ $0.prepareConnection = { try server.secure($0) } }) {
                chat in
                var options = TLSOptions()
                options.authorityPath = certificate
                let joe = try client(chat, options)
                var events = try joe.events().makeAsyncIterator()
                try await joe.logIn(as: ChatAccount(nickname: "Joe"))
                try await joe.say("to myself", to: "Joe")
                #expect(await next(&events) { $0.text } == "to myself")
                try await joe.logOut()
                joe.close()
            }
        }
    }

    @Test func anUntrustedCertificateFailsTheLogin() async throws {
        try await withCertificate { certificate, key in
            let server = try TLSServer(certificatePath: certificate, keyPath: key)
            try await ServerWithClients.run({ $0.prepareConnection = { try server.secure($0) } }) {
                chat in
                let joe = try client(chat, TLSOptions())
                let error = await #expect(throws: ChatError.self) {
                    try await joe.logIn(as: ChatAccount(nickname: "Joe"))
                }
                #expect(error?.description.contains("certificate") == true)
                joe.close()
            }
        }
    }

    @Test func aSecureEndpointIsNeverUsedInPlaintext() async throws {
        try await ServerWithClients.run { chat in
            let joe = try client(chat, nil)
            let error = await #expect(throws: ChatError.self) {
                try await joe.logIn(as: ChatAccount(nickname: "Joe"))
            }
            #expect(
                error
                    == .notConnected(
                        reason:
                            "the endpoint requires TLS, but the client was created without TLS"
                    ))
            #expect(await chat.server.counts().connections == 0)
            joe.close()
        }
    }
}
