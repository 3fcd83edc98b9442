import Foundation
import Testing

/// What `decode` says about captures that it cannot decode completely.
@Suite struct DecodeInputTests {
    private static let talk = CaptureFile.bytes("NICK alice\r\nPING 1\r\n")

    private func decode(_ bytes: [UInt8], _ options: String...) async throws -> Command.Outcome {
        try await CaptureFile.with(bytes) {
            try await Command(["decode", $0] + options).run()
        }
    }

    /// A capture of raw IPv4 packets with these protocol numbers and, for UDP, ports.
    private static func packets(_ protocols: [(number: UInt8, port: UInt8)]) -> [UInt8] {
        talk
            + protocols.flatMap { number, port -> [UInt8] in
                let udp: [UInt8] = [0, 9, port == 0 ? 0 : 0x12, port, 0, 8, 0, 0]
                let ip: [UInt8] =
                    [0x45, 0, 0, 28, 0, 1, 0, 0, 64, number, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]
                return [0, 0, 0, 0, 0, 0, 0, 0, 28, 0, 0, 0, 28, 0, 0, 0] + ip + udp
            }
    }

    @Test func skippedPacketsAreNamed() async throws {
        let bytes = Self.packets([(17, 0), (17, 0), (1, 0), (47, 0), (17, 0xB5), (200, 0)])
        let outcome = try await decode(bytes, "--dialect", "irc")
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(
            outcome.errors.contains("4 non-TCP packets skipped: 2 UDP, 1 ICMP, 1 other\n"),
            "\(outcome.all)")
        #expect(
            outcome.errors.contains(
                "warning: 2 tunnelled packets skipped (GRE, VXLAN or Geneve): encrypted, fragmented, "
                    + "damaged or of an unsupported version\n"))
    }

    @Test func packetsOfUnknownInterfacesAreDamage() async throws {
        var bytes = CaptureFile.pcapng(
            [.init(text: "NICK alice\r\n"), .init(text: "PING 1\r\n", offset: 12)], at: [1, 2],
            resolution: 6)
        // The interface of the last packet.
        let last = bytes.count - 4
        let count = Int(bytes[last]) | Int(bytes[last + 1]) << 8
        bytes[bytes.count - count + 8] = 7
        let outcome = try await decode(bytes, "--dialect", "irc")
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("nick(") && !outcome.output.contains("ping("))
        #expect(
            outcome.errors.contains(
                "error: 1 packet skipped: from an interface that the capture does not describe\n"))
    }

    @Test func aMissingProgramIsReportedAlone() async throws {
        let outcome = try await CaptureFile.with([0x28, 0xB5, 0x2F, 0xFD, 0, 0]) { path in
            var command = Command("decode", path, "--dialect", "irc")
            let folder = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "sh"), withDestinationURL: URL(filePath: "/bin/sh"))
            command.environment["PATH"] = folder.path
            return try await command.run()
        }
        #expect(outcome.status == 66, "\(outcome.all)")
        #expect(outcome.errors.hasPrefix("error: `"), "\(outcome.all)")
        #expect(outcome.errors.contains("is compressed, but zstd is not installed\n"))
        #expect(!outcome.errors.contains("not a pcap"))
    }

    @Test func quietStillPrintsWarnings() async throws {
        let outcome = try await decode(Self.talk, "--dialect", "irc", "-q", "--operator", "bob")
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("warning: nothing matches --operator bob"))
        let fine = try await decode(Self.talk, "-q")
        #expect(fine.errors.isEmpty && fine.status == 0, "\(fine.all)")
    }

    @Test func unknownTrafficIsTextInOutputAndMessages() async throws {
        let web = CaptureFile.bytes([
            .init(text: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", port: 8080),
            .init(text: "HTTP/1.1 200 OK\r\n\r\n", fromClient: false, port: 8080),
        ])
        let outcome = try await decode(web)
        #expect(outcome.output.contains("line(text: \"HTTP/1.1 200 OK\")"), "\(outcome.all)")
        #expect(
            outcome.errors.contains(
                "warning: no built-in dialect matches; lines are shown as text\n"))
        #expect(!outcome.all.contains("violate"))
    }

    @Test func aDialectThatFitsFewLinesIsQuestioned() async throws {
        let web = CaptureFile.bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let outcome = try await decode(web, "--dialect", "irc")
        #expect(
            outcome.errors.contains(
                "warning: none of the 2 lines matches the irc dialect\n"),
            "\(outcome.all)")
        let mail = Files.root.appending(path: "Examples/captures/mail.pcap").path
        let other = try await Command("decode", mail, "--dialect", "irc").run()
        #expect(
            other.errors.contains(
                "warning: only 7 of the 19 lines match the irc dialect\n"),
            "\(other.all)")
        let ofPort = try await decode(web, "--dialect", "irc@6667")
        #expect(
            ofPort.errors.contains("warning: none of the 2 lines matches the irc dialect\n"),
            "\(ofPort.all)")
        let fine = try await decode(Self.talk, "--dialect", "irc")
        #expect(!fine.errors.contains("warning"))
    }

    @Test func aScenarioAboveTheLimitIsNotWritten() async throws {
        var segments: [CaptureFile.Segment] = []
        for index in 0..<700 {
            let text = "PRIVMSG #a :" + String(repeating: "y", count: 1_900) + "\r\n"
            segments.append(.init(text: text, offset: index * text.utf8.count))
        }
        try await CaptureFile.with(CaptureFile.bytes(segments)) { path in
            let target = path + ".chat"
            let outcome = try await Command(
                "decode", path, "--dialect", "irc", "--as", "scenario", "-o", target
            ).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.errors.contains("error: the scenario is too large: "))
            #expect(outcome.errors.contains("--connection, --from or --to"))
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }
}
