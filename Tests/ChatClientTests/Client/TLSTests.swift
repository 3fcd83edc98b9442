import ChatClient
import Foundation
import ReferenceServer
import Testing
import Transport
import TransportTLS

@Suite(.timeLimit(.minutes(1))) struct TLSTests {
    /// Creates a self-signed certificate for localhost and its key in a temporary folder.
    private func withCertificate(
        _ body: (_ certificate: String, _ key: String) async throws -> Void
    ) async throws {
        let folder = "/tmp/linejudge-client-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-days", "2", "-subj", "/CN=chat", "-keyout", "\(folder)/key", "-out",
            "\(folder)/pem", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try await body("\(folder)/pem", "\(folder)/key")
    }

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
                            "the endpoint requires TLS, but the client was created without security"
                    ))
            #expect(await chat.server.counts().connections == 0)
            joe.close()
        }
    }
}
