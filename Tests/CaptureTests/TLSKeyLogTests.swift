import Foundation
import Testing

@testable import Capture

/// Key logs, as files and in captures.
@Suite struct TLSKeyLogTests {
    private static let random = String(repeating: "0aF9", count: 16)
    private static let secret = String(repeating: "b7", count: 32)
    private static let master = String(repeating: "c8", count: 48)

    private func problem(_ text: String) -> TLSKeys.Problem? {
        TLSKeys().add(file: Array(text.utf8))
    }

    @Test func secretsAreRead() throws {
        let text = """
            # comment

            CLIENT_RANDOM \(Self.random) \(Self.master)\r
            SERVER_TRAFFIC_SECRET_0 \(Self.random) \(Self.secret)
            CLIENT_TRAFFIC_SECRET_0 \(Self.random) \(Self.master)
            """
        let keys = TLSKeys()
        #expect(keys.add(file: Array(text.utf8)) == nil)
        #expect(keys.fileSessions == 1)
        let random = [[0x0A, 0xF9]] + Array(repeating: [0x0A, 0xF9] as [UInt8], count: 15)
        let secrets = try #require(keys.secrets(for: random.flatMap(\.self)))
        #expect(secrets[.master] == Array(repeating: 0xC8, count: 48))
        #expect(secrets[.serverTraffic] == Array(repeating: 0xB7, count: 32))
        #expect(secrets[.clientTraffic]?.count == 48)
        #expect(secrets[.early] == nil)
        #expect(keys.unusedFileSessions == 0)
    }

    @Test(arguments: [
        "EXPORTER_SECRET \(random) \(secret)", "RSA Session-ID:00 Master-Key:00",
        "NEW_LABEL", "#x", "", "\r", "ECH_SECRET zz zz zz zz",
    ])
    func otherLinesAreIgnored(_ line: String) {
        #expect(problem(line) == nil)
    }

    @Test(arguments: [
        ("hello", "expected a label, such as CLIENT_RANDOM, at the start of the line"),
        (" CLIENT_RANDOM", "expected a label, such as CLIENT_RANDOM, at the start of the line"),
        ("\u{1F}\u{8B}", "expected a label, such as CLIENT_RANDOM, at the start of the line"),
        ("CLIENT_RANDOM", "expected `CLIENT_RANDOM RANDOM SECRET`, separated by single spaces"),
        (
            "CLIENT_RANDOM \(random)",
            "expected `CLIENT_RANDOM RANDOM SECRET`, separated by single spaces"
        ),
        (
            "CLIENT_RANDOM  \(random) \(master)",
            "expected `CLIENT_RANDOM RANDOM SECRET`, separated by single spaces"
        ),
        (
            "CLIENT_RANDOM \(random.dropLast(2)) \(master)",
            "the random value has 62 hexadecimal digits; expected 64"
        ),
        (
            "CLIENT_RANDOM \(random) \(secret)",
            "the secret has 64 hexadecimal digits; expected 96"
        ),
        (
            "SERVER_TRAFFIC_SECRET_0 \(random) \(secret)0",
            "the secret has 65 hexadecimal digits; expected 64 or 96"
        ),
        (
            "SERVER_TRAFFIC_SECRET_0 \(random) \(secret.dropLast())g",
            "the secret contains a byte that is not a hexadecimal digit; expected 64 or 96 digits"
        ),
    ])
    func invalidLinesAreExplained(_ line: String, _ text: String) {
        #expect(problem("# one\n\n\(line)\n") == TLSKeys.Problem(line: 3, text: text))
        // No part of the line is shown.
        #expect(!text.contains(Self.random.prefix(8)) && !text.contains(Self.secret.prefix(8)))
    }

    // MARK: Captures

    /// Returns a pcapng file with a block of secrets before the packets.
    private func pcapng(
        _ packets: [CapturedPacket], _ log: String, type: UInt64 = 0x544C_534B,
        isBigEndian: Bool = false
    ) -> [UInt8] {
        var writer = CaptureWriter(isBigEndian: isBigEndian)
        writer.section()
        writer.interface(.ethernet)
        let bytes = Array(log.utf8)
        writer.block(10, writer.number(type, 4) + writer.number(UInt64(bytes.count), 4) + bytes)
        for packet in packets { writer.packet(packet, units: UInt64(packet.time / 1_000)) }
        return writer.bytes
    }

    @Test(.enabled(if: TLSCipher.isAvailable), arguments: [false, true])
    func secretsInCapturesAreUsed(isBigEndian: Bool) async throws {
        let session = try await TLSRecording.named("1.3-aes128")
        let packets = session.connection().packets
        let sent = try session.sent()
        let capture = pcapng(packets, session.log, isBigEndian: isBigEndian)
        #expect(try TLSRecording.rows(capture, nil) == sent)
        // The length of the log need not be a multiple of 4.
        for count in 0..<4 {
            let log = session.log + String(repeating: "#", count: count)
            let capture = pcapng(packets, log, isBigEndian: isBigEndian)
            #expect(try TLSRecording.rows(capture, nil) == sent)
        }
    }

    @Test(.enabled(if: TLSCipher.isAvailable))
    func blocksLargerThanTheWindowAreRead() async throws {
        let session = try await TLSRecording.named("1.2-aes128")
        let comments = String(repeating: "# a comment in a key log\n", count: 60_000)
        let log = comments + session.log + comments
        #expect(log.utf8.count > CaptureReader.windowBytes)
        let capture = pcapng(session.connection().packets, log)
        #expect(try TLSRecording.rows(capture, nil) == session.sent())
    }

    @Test func otherBlocksOfSecretsAreIgnored() async throws {
        let session = try await TLSRecording.named("1.2-aes128")
        let capture = pcapng(session.connection().packets, session.log, type: 0x5747_4B4C)
        #expect(try TLSRecording.rows(capture, nil).isEmpty)
    }

    @Test(.enabled(if: TLSCipher.isAvailable))
    func invalidLinesInCapturesAreSkipped() async throws {
        let session = try await TLSRecording.named("1.2-aes128")
        let keys = TLSKeys()
        let log = "CLIENT_RANDOM 12\n" + session.log
        for _ in 0..<2 {
            var options = ReassemblyOptions()
            options.keys = keys
            _ = try Slicing(pcapng(session.connection().packets, log), options: options)
        }
        #expect(keys.problems.map(\.line) == [1])
        #expect(keys.fileSessions == 0)
        #expect(!keys.isEmpty)
    }

    @Test(.enabled(if: TLSCipher.isAvailable))
    func slicesContainNeitherSecretsNorDecryptedLines() async throws {
        let session = try await TLSRecording.named("1.2-aes128-starttls")
        var options = ReassemblyOptions()
        options.keys = TLSKeys()
        let slice = try Slicing(
            pcapng(session.connection().packets, session.log), options: options)
        #expect(slice.connections == 1)
        let text = String(decoding: slice.bytes, as: UTF8.self)
        #expect(text.contains("STARTTLS"))
        #expect(!text.contains("alice"))
        #expect(!text.contains("CLIENT_RANDOM"))
        // The slice can be decrypted with the key log.
        #expect(try TLSRecording.rows(slice.bytes, session.log) == session.sent())
        #expect(try TLSRecording.rows(slice.bytes, nil).count == 2)
    }

    @Test(arguments: [0, 4, 8, 20])
    func damagedBlocksOfSecretsAreRead(count: Int) async throws {
        var writer = CaptureWriter()
        writer.section()
        writer.interface(.ethernet)
        let body =
            writer.number(0x544C_534B, 4) + writer.number(1_000_000, 4)
            + Array("CLIENT_RANDOM".utf8)
        writer.block(10, Array(body.prefix(count)))
        let decoding = try Decoding.log(writer.bytes)
        #expect(decoding.error == nil)
    }
}
