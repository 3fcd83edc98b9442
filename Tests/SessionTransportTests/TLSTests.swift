import Diagnostics
import Foundation
import NIOCore
import Session
import Testing
import TransportTLS

@testable import SessionTransport
import Transport

/// Secure connections, and refused insecure ones.
@Suite(.timeLimit(.minutes(5)))
struct TLSTests {
    private func withCertificates(_ body: (Certificates) async throws -> Void) async throws {
        let certificates = try Certificates()
        defer { certificates.remove() }
        try await body(certificates)
    }

    /// Sends one line to a server that echoes it, then closes both directions one after the other.
    private func exchange(
        _ options: TLSOptions, with certificate: String, _ certificates: Certificates,
        host: String = "localhost", asksClient: Bool = false
    ) async throws -> (event: [ScriptEvent], seen: [Seen], outcome: SessionOutcome) {
        let server = try TLSServer(
            certificatePath: certificates.certificate(certificate),
            keyPath: certificates.key(certificate),
            clientAuthorityPath: asksClient ? certificates.certificate("ca") : nil)
        let driver = SessionDriver(security: try TLSClient(options))
        var result: (event: [ScriptEvent], seen: [Seen], outcome: SessionOutcome)?
        try await TestServer.run(
            prepare: { try server.secure($0) }, react: SessionDriverTests.echo
        ) { server in
            let endpoint = Endpoint(.host(host, port: server.endpoint.port), isSecure: true)
            let (outcome, log) = await driver.run(at: endpoint) { event, script in
                switch event {
                case .connected: script.send("hello\n")
                case .received: script.act(.halfClose(.first))
                case .fin, .reset, .connectFailed: script.isOver = true
                default: break
                }
            }
            let isConnected = log.all.contains(.connected)
            let seen = isConnected ? await server.seen { $0 == .fin || $0 == .reset } : []
            result = (log.joined, seen, outcome)
        }
        return try #require(result)
    }

    @Test func aCertificateOfOurAuthorityIsTrusted() async throws {
        try await withCertificates { certificates in
            var options = TLSOptions()
            options.authorityPath = certificates.certificate("ca")
            for host in ["localhost", "127.0.0.1"] {
                let (event, seen, outcome) = try await exchange(
                    options, with: "server", certificates, host: host)
                #expect(event == [.started, .connected, .received("hello\n"), .fin])
                #expect(seen == [.accepted, .bytes("hello\n"), .fin])
                #expect(outcome.notes.isEmpty)
            }
        }
    }

    @Test func anUnknownCertificateIsRefusedUnlessAnyWillDo() async throws {
        try await withCertificates { certificates in
            let untrusted = "TLS: the server's certificate is not trusted"
            let refused = try await exchange(TLSOptions(), with: "self", certificates)
            #expect(refused.event == [.started, .connectFailed(untrusted)])
            #expect(refused.outcome.isUnreachable)
            #expect(refused.outcome.connectCause == .certificate)
            var options = TLSOptions()
            options.isInsecure = true
            let taken = try await exchange(options, with: "self", certificates)
            #expect(taken.event.last == .fin)
            options = TLSOptions()
            options.authorityPath = certificates.certificate("self")
            let named = try await exchange(options, with: "self", certificates)
            #expect(named.event.last == .fin)
        }
    }

    @Test func theNameIsLookedForInTheCertificate() async throws {
        try await withCertificates { certificates in
            var options = TLSOptions()
            options.authorityPath = certificates.certificate("ca")
            let refused = try await exchange(options, with: "other", certificates)
            #expect(
                refused.outcome.connectFailure
                    == "TLS: the server's certificate is for other.example, not for `localhost`")
            #expect(refused.outcome.connectCause == .certificateName)
            options.serverName = "other.example"
            let taken = try await exchange(options, with: "other", certificates)
            #expect(taken.event.last == .fin)
        }
    }

    @Test func aServerMayAskForACertificateOfOurs() async throws {
        try await withCertificates { certificates in
            var options = TLSOptions()
            options.authorityPath = certificates.certificate("ca")
            let refused = try await exchange(
                options, with: "server", certificates, asksClient: true)
            #expect(!refused.event.contains(.received("hello\n")))
            #expect(
                refused.outcome.notes == ["TLS: the server requires a client certificate"])
            options.certificatePath = certificates.certificate("client")
            options.keyPath = certificates.key("client")
            let taken = try await exchange(options, with: "server", certificates, asksClient: true)
            #expect(taken.event == [.started, .connected, .received("hello\n"), .fin])
        }
    }

    @Test func aServerWithoutTLSIsFoundOut() async throws {
        try await TestServer.run(react: { seen, channel in
            if case .bytes = seen { channel.say(":irc.example NOTICE * :what?\r\n") }
        }) { server in
            let endpoint = Endpoint(.host("localhost", port: server.endpoint.port), isSecure: true)
            let driver = SessionDriver(security: try TLSClient())
            let (outcome, _) = await driver.run(at: endpoint) { event, script in
                if event.failure != nil { script.isOver = true }
            }
            #expect(outcome.connectFailure == "TLS: the server does not speak TLS")
            #expect(outcome.connectCause == .notTLS)
        }
    }

    @Test func aServerThatClosesDuringTheHandshakeIsSaidSo() async throws {
        try await TestServer.run(react: { _, channel in channel.hangUp() }) { server in
            let endpoint = Endpoint(.host("localhost", port: server.endpoint.port), isSecure: true)
            let driver = SessionDriver(security: try TLSClient())
            let (outcome, _) = await driver.run(at: endpoint) { event, script in
                if event.failure != nil { script.isOver = true }
            }
            let reason = try #require(outcome.connectFailure)
            #expect(reason.contains("during the"), "\(reason)")
            #expect(outcome.connectCause == .handshake)
        }
    }

    @Test func aHandshakeThatNeverEndsTimesOut() async throws {
        var limits = TransportLimits()
        limits.connectTimeout = 100_000_000
        let driver = SessionDriver(security: try TLSClient(), limits: limits)
        try await TestServer.run(react: { _, _ in }) { server in
            let endpoint = Endpoint(.host("127.0.0.1", port: server.endpoint.port), isSecure: true)
            let (outcome, _) = await driver.run(at: endpoint) { event, script in
                if event.failure != nil { script.isOver = true }
            }
            let location = server.endpoint.location
            #expect(
                outcome.connectFailure
                    == "\(location) did not finish the TLS handshake within 100 ms")
            #expect(outcome.connectCause == .handshake)
        }
    }

    @Test func anAbortIsAResetUnderTLSToo() async throws {
        try await withCertificates { certificates in
            let server = try TLSServer(
                certificatePath: certificates.certificate("server"),
                keyPath: certificates.key("server"))
            var options = TLSOptions()
            options.isInsecure = true
            let driver = SessionDriver(security: try TLSClient(options))
            try await TestServer.run(
                prepare: { try server.secure($0) }, react: { _, _ in }
            ) { server in
                var endpoint = server.endpoint
                endpoint.isSecure = true
                _ = await driver.run(at: endpoint) { event, script in
                    if event == .connected {
                        script.act(.abort(.first))
                        script.isOver = true
                    }
                }
                let seen = await server.seen { $0 == .fin || $0 == .reset }
                #expect(seen == [.accepted, .reset])
            }
        }
    }

    /// A server that starts TLS on request, and otherwise answers with the same bytes.
    private static func startsTLS(_ server: TLSServer?) -> TestServer.Reaction {
        { seen, channel in
            guard seen == .bytes("STARTTLS\n") else {
                if server == nil, case .bytes = seen { return channel.say("500 no command\n") }
                return SessionDriverTests.echo(seen, channel)
            }
            channel.say("go\n")
            try? server?.secure(channel)
        }
    }

    /// Asks a server to start TLS, starts it `count` times, and sends `hello`.
    private func startTLS(
        _ options: TLSOptions?, at server: TLSServer?, count: Int = 1
    ) async throws -> [ScriptEvent] {
        let driver = SessionDriver(security: try options.map { try TLSClient($0) })
        var events: [ScriptEvent] = []
        try await TestServer.run(react: Self.startsTLS(server)) { server in
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                switch event {
                case .connected: script.send("STARTTLS\n")
                case .received("go\n"):
                    for _ in 0..<count { script.act(.startTLS(.first)) }
                case .secured: script.send("hello\n")
                case .received("hello\n"), .fin, .reset, .securingFailed: script.isOver = true
                default: break
                }
            }
            events = log.joined
        }
        return events
    }

    @Test func anOpenConnectionStartsTLS() async throws {
        try await withCertificates { certificates in
            let server = try TLSServer(
                certificatePath: certificates.certificate("server"),
                keyPath: certificates.key("server"))
            var options = TLSOptions()
            options.authorityPath = certificates.certificate("ca")
            #expect(
                try await startTLS(options, at: server) == [
                    .started, .connected, .received("go\n"), .secured, .received("hello\n"),
                ])
            #expect(
                try await startTLS(options, at: server, count: 2).last
                    == .securingFailed("the connection already uses TLS", isServersFault: false))
            #expect(
                try await startTLS(nil, at: server).last
                    == .securingFailed("TLS is not configured", isServersFault: false))
            // The certificate is not trusted without the option.
            #expect(
                try await startTLS(TLSOptions(), at: server).last
                    == .securingFailed(
                        "TLS: the server's certificate is not trusted", isServersFault: false))
        }
    }

    @Test func aServerThatAnswersWithoutTLSIsAtFault() async throws {
        let events = try await startTLS(TLSOptions(), at: nil)
        guard case .securingFailed(let reason, isServersFault: true) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(reason.contains("TLS"), "\(reason)")
    }

    @Test func filesThatCannotBeUsedSayWhy() async throws {
        try await withCertificates { certificates in
            func message(_ change: (inout TLSOptions) -> Void) -> String? {
                var options = TLSOptions()
                change(&options)
                do {
                    _ = try TLSClient(options)
                    return nil
                } catch {
                    return error.diagnostics.first?.message
                }
            }
            let missing = message { $0.authorityPath = "/nowhere/ca.pem" }
            #expect(
                missing
                    == "cannot read the certificate file `/nowhere/ca.pem`: No such file or directory"
            )
            let key = certificates.key("ca")
            #expect(message { $0.authorityPath = key } == "`\(key)` contains no certificate")
            let noKey = message { $0.certificatePath = certificates.certificate("client") }
            #expect(noKey?.contains("contains no readable private key") == true)
            let wrongKey = message {
                $0.certificatePath = certificates.certificate("client")
                $0.keyPath = certificates.key("server")
            }
            #expect(wrongKey?.hasPrefix("the key in `") == true)
            #expect(message { $0.keyPath = key }?.contains("has no certificate") == true)
            #expect(throws: Diagnosed.self) {
                try TLSServer(certificatePath: key, keyPath: key)
            }
        }
    }
}
