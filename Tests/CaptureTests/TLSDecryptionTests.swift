import Foundation
import Testing

@testable import Capture

/// Decryption of TLS sessions of OpenSSL with their key logs.
@Suite(.enabled(if: TLSCipher.isAvailable)) struct TLSDecryptionTests {
    @Test(arguments: [
        "1.2-aes128", "1.2-aes256", "1.2-chacha", "1.2-rsa128", "1.2-rsa256", "1.3-aes128",
        "1.3-aes256", "1.3-chacha", "1.2-aes128-resumed", "1.3-aes128-resumed",
        "1.2-aes128-retry", "1.3-aes128-retry", "1.2-aes256-request", "1.3-chacha-request",
        "1.2-chacha-many", "1.3-aes256-many", "key-update", "key-updates", "padding",
        "renegotiation", "fragments", "program-1.2",
    ])
    func linesAreThoseThatWereSent(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        let sent = try session.sent()
        #expect(sent.count > 8)
        #expect(try session.rows() == sent)
    }

    @Test(arguments: ["1.2-aes128", "1.2-chacha", "1.3-aes256", "key-update", "renegotiation"])
    func segmentsMayHaveAnySize(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        let sent = try session.sent()
        for size in [1, 2, 5, 6, 22] {
            #expect(try session.rows(size: size) == sent, "\(size) bytes")
        }
    }

    @Test(arguments: ["1.2-aes128-starttls", "1.3-aes128-starttls"])
    func linesAfterSTARTTLSAreDecrypted(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        for size in [1, 5, 1_460] { #expect(try session.rows(size: size) == session.sent()) }
        let log = try Decoding.log(session.connection().capture, keyLog: session.log).lines
        let index = try #require(
            log.firstIndex { $0.contains("encrypted (TLS) from here on; decrypted") })
        #expect(log[index - 1].contains("startTls"))
        #expect(log[index + 1].contains("TLS 1."))
    }

    @Test(arguments: ["1.2-aes128-smtp", "1.3-aes128-smtp"])
    func blocksAreFoundAfterSTARTTLS(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        let sent = try session.sent("smtp")
        #expect(sent.contains { $0.contains("NOOP") && $0.contains("Subject") })
        for size in [1, 50, 1_460] { #expect(try session.rows(size: size, "smtp") == sent) }
    }

    @Test(arguments: ["1.2-aes128-web", "1.3-aes128-web"])
    func webSocketsAreRead(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        #expect(try session.rows() == ["← PING 2"])
        #expect(try session.rows(size: 9) == ["← PING 2"])
    }

    // MARK: Handshakes

    @Test(arguments: ["1.2-aes128", "1.3-aes128", "1.3-aes128-retry", "1.3-aes128-request"])
    func secretsRevealTheWholeHandshake(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        let log = try Decoding.log(session.connection(size: 100).capture, keyLog: session.log).text
        #expect(
            log.contains(
                "TLS \(name.prefix(3)), server name irc.example.org, ALPN irc, certificate for "
                    + "irc.example.org *.example.org\n"), "\(log)")
    }

    @Test func withoutHandshakeSecretsTheDataIsDecrypted() async throws {
        let session = try await TLSRecording.named("1.3-aes128")
        let keyLog = session.log(
            without: "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET")
        let capture = session.connection(size: 100).capture
        #expect(try TLSRecording.rows(capture, keyLog) == session.sent())
        let log = try Decoding.log(capture, keyLog: keyLog)
        #expect(log.text.contains("TLS 1.3, server name irc.example.org, ALPN irc other\n"))
        #expect(log.counts.conversation.undecrypted == 0)
    }

    @Test(arguments: ["1.2-aes128", "1.3-aes128"])
    func withoutSecretsNothingIsDecrypted(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        let other = try await TLSRecording.named("1.3-chacha")
        for keyLog in [nil, other.log] {
            let log = try Decoding.log(session.connection().capture, keyLog: keyLog)
            #expect(log.text.contains("encrypted (TLS) from here on; not decoded\n"))
            #expect(log.text.contains("TLS \(name.prefix(3)), server name irc.example.org"))
            #expect(log.text.contains("certificate for irc.example.org") == (name == "1.2-aes128"))
            #expect(log.counts.conversation.lines == 0)
            #expect(log.counts.conversation.encrypted == 1)
            #expect(log.counts.conversation.decrypted == 0)
        }
    }

    // MARK: Early data

    @Test func earlyDataIsDecrypted() async throws {
        let session = try await TLSRecording.named("early-data")
        for size in [1, 100, 1_460] { #expect(try session.rows(size: size) == session.sent()) }
    }

    @Test func earlyDataWithoutItsSecretIsSkipped() async throws {
        let session = try await TLSRecording.named("early-data")
        let keyLog = session.log(without: "CLIENT_EARLY_TRAFFIC_SECRET")
        let capture = session.connection().capture
        #expect(try TLSRecording.rows(capture, keyLog) == session.sent(without: [0]))
        let log = try Decoding.log(capture, keyLog: keyLog).text
        #expect(log.contains("early data from the client not decrypted: the key log has no secret"))
        let json = try Decoding.json(capture, keyLog: keyLog).text
        #expect(json.contains(#""event":"undecrypted""#))
        #expect(json.contains(#""reason":"no-early-secret""#))
    }

    @Test func refusedEarlyDataIsNoted() async throws {
        let session = try await TLSRecording.named("early-data-refused")
        let log = try Decoding.log(session.connection().capture, keyLog: session.log)
        let index = try #require(
            log.lines.firstIndex { $0.contains("the server did not accept the early data above") })
        #expect(log.lines[..<index].contains { $0.contains("nick(nickname") })
        #expect(log.lines[index...].contains { $0.contains("nick(nickname") })
        #expect(log.counts.conversation.undecrypted == 0)
    }

    // MARK: Failures

    @Test(arguments: [
        ("1.2-cbc", "TLS 1.2 with TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA is not supported"),
        ("1.2-ccm", "TLS 1.2 with TLS_ECDHE_ECDSA_WITH_AES_128_CCM is not supported"),
        ("1.3-ccm", "TLS 1.3 with TLS_AES_128_CCM_SHA256 is not supported"),
    ])
    func unsupportedCiphersAreNamedOnce(_ name: String, _ text: String) async throws {
        let session = try await TLSRecording.named(name)
        for size in [7, 1_460] {
            let log = try Decoding.log(session.connection(size: size).capture, keyLog: session.log)
            #expect(log.lines.count { $0.hasSuffix(text) } == 1, "\(log.text)")
            #expect(log.lines.count { $0.contains("not decrypted") } == 1)
            #expect(log.counts.conversation.lines == 0)
        }
    }

    @Test(arguments: [
        ("1.2-aes128", ["CLIENT_RANDOM"]),
        ("1.3-aes128", ["CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0"]),
    ])
    func wrongSecretsAreReported(_ name: String, _ labels: [String]) async throws {
        let session = try await TLSRecording.named(name)
        for label in labels {
            let keyLog = session.log(damaging: label)
            let log = try Decoding.log(session.connection().capture, keyLog: keyLog)
            #expect(
                log.text.contains(
                    "data not decrypted from here on: the secret in the key log is wrong"),
                "\(log.text)")
            let side = label.hasPrefix("SERVER") ? "← " : "→ "
            let rows = try TLSRecording.rows(session.connection().capture, keyLog)
            #expect(!rows.contains { $0.hasPrefix(side) })
            #expect(log.counts.conversation.undecrypted > 0)
        }
    }

    @Test(arguments: [
        ("SERVER_TRAFFIC_SECRET_0", "the server's"), ("CLIENT_TRAFFIC_SECRET_0", "the client's"),
    ])
    func missingSecretsAreReported(_ label: String, _ side: String) async throws {
        let session = try await TLSRecording.named("1.3-aes256-many")
        let log = try Decoding.log(
            session.connection().capture, keyLog: session.log(without: label))
        #expect(
            log.lines.count {
                $0.contains("\(side) data not decrypted from here on: the key log lacks the secret")
            } == 1, "\(log.text)")
        // The other side is decrypted.
        #expect(log.counts.conversation.lines > 100)
    }

    @Test func damagedRecordsEndTheDecryptionOfTheirSide() async throws {
        let session = try await TLSRecording.named("1.3-aes128")
        let index = try #require(session.pieces.lastIndex { $0.isFromClient })
        for offset in session.pieces[index].bytes.indices {
            var damaged = session
            damaged.pieces[index].bytes[offset] ^= 0x40
            let log = try Decoding.log(damaged.connection().capture, keyLog: session.log)
            #expect(!log.text.contains("ping("))
            #expect(log.text.contains("ponged("))
            if offset > 4 {
                #expect(log.text.contains("not decrypted from here on: a record is damaged"))
            }
        }
    }

    @Test func outputContainsNoSecrets() async throws {
        for name in ["1.2-aes128", "1.3-aes128", "early-data-refused"] {
            let session = try await TLSRecording.named(name)
            let capture = session.connection().capture
            let text =
                try Decoding.log(capture, keyLog: session.log).text
                + Decoding.json(capture, showsSecrets: true, keyLog: session.log).text
            for line in session.log.split(separator: "\n") where !line.hasPrefix("#") {
                let secret = try #require(line.split(separator: " ").last)
                #expect(!text.lowercased().contains(secret.lowercased()))
            }
        }
    }
}
