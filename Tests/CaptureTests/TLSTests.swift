import Foundation
import LineProtocol
import Testing

@testable import Capture

/// What is shown of TLS connections.
@Suite struct TLSTests {
    /// A certificate for `irc.example.org`, `*.example.org`, 192.0.2.1 and 2001:db8::1.
    private static let certificate =
        "MIIB8jCCAZigAwIBAgIUXbeQ0JgvFbBZovTTplCnYOtOfwswCgYIKoZIzj0EAwIwLDEQMA4GA1UECgwHRXhhbXBsZTEYMBYG"
        + "A1UEAwwPaXJjLmV4YW1wbGUub3JnMB4XDTI2MTEyNTEzNTkzMloXDTM2MTEyMjEzNTkzMlowLDEQMA4GA1UECgwHRXhhbXBs"
        + "ZTEYMBYGA1UEAwwPaXJjLmV4YW1wbGUub3JnMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE3wRIyJWT+1BvpFK/W9ndCG+w"
        + "tYBO+yFXY+I92tML3Elp/RzXvz4SKEhzI9ZR8mUrMHhIsoEjAz4agemE78eVYqOBlzCBlDAdBgNVHQ4EFgQUHhbrPt60QyzC"
        + "teeg6CMLS7fbxQUwHwYDVR0jBBgwFoAUHhbrPt60QyzCteeg6CMLS7fbxQUwDwYDVR0TAQH/BAUwAwEB/zBBBgNVHREEOjA4"
        + "gg9pcmMuZXhhbXBsZS5vcmeCDSouZXhhbXBsZS5vcmeHBMAAAgGHECABDbgAAAAAAAAAAAAAAAEwCgYIKoZIzj0EAwIDSAAw"
        + "RQIhANLnz98LJa5HzeCURkERMRgFbdPm0TM1zcankLbLFgv2AiBp0q0t67pb3sCQYCdrUqJ1aAyvHi8RsBhMI+FJUkni0g=="
    /// A certificate without alternative names, for `plain.example.org`.
    private static let plainCertificate =
        "MIIBsTCCAVegAwIBAgIUBSXVkqWlLjwSeU0xvTOYlvc5qDcwCgYIKoZIzj0EAwIwLjEQMA4GA1UECgwHRXhhbXBsZTEaMBgG"
        + "A1UEAwwRcGxhaW4uZXhhbXBsZS5vcmcwHhcNMjYxMTI1MTM1OTMyWhcNMzYxMTIyMTM1OTMyWjAuMRAwDgYDVQQKDAdFeGFt"
        + "cGxlMRowGAYDVQQDDBFwbGFpbi5leGFtcGxlLm9yZzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABN8ESMiVk/tQb6RSv1vZ"
        + "3QhvsLWATvshV2PiPdrTC9xJaf0c178+EihIcyPWUfJlKzB4SLKBIwM+GoHphO/HlWKjUzBRMB0GA1UdDgQWBBQeFus+3rRD"
        + "LMK156DoIwtLt9vFBTAfBgNVHSMEGDAWgBQeFus+3rRDLMK156DoIwtLt9vFBTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49"
        + "BAMCA0gAMEUCIBPKrmIozxdz8D/pxGWgoR/EJ0mNAycNJvLDhKX2flUTAiEArSRiyyLGU0owTWFvecXt5b08usEesrmrDoQW"
        + "rJyI66k="

    private static func bytes(_ certificate: String) -> [UInt8] {
        [UInt8](Data(base64Encoded: certificate) ?? Data())
    }

    // MARK: Handshakes

    private static func big24(_ value: Int) -> [UInt8] {
        [UInt8(value >> 16 & 0xFF)] + big16(value & 0xFFFF)
    }

    private static func record(_ messages: [UInt8], type: UInt8 = 22) -> [UInt8] {
        [type, 3, 1] + big16(messages.count) + messages
    }

    private static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        [type] + big24(body.count) + body
    }

    private static func field(_ bytes: [UInt8]) -> [UInt8] { big16(bytes.count) + bytes }

    private static func clientHello(_ name: String, _ protocols: [String]) -> [UInt8] {
        let random = [UInt8](repeating: 7, count: 32)
        let serverName = big16(0) + field(field([0] + field(Array(name.utf8))))
        let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        let alpn = big16(16) + field(field(list))
        let body = [3, 3] + random + [0] + field([0x13, 0x01]) + [1, 0]
        return message(1, body + field(serverName + (protocols.isEmpty ? [] : alpn)))
    }

    private static func serverHello(_ version: UInt8, _ chosen: String? = nil) -> [UInt8] {
        let random = [UInt8](repeating: 8, count: 32)
        var extensions: [UInt8] = version == 4 ? big16(43) + field([3, 4]) : []
        if let chosen {
            let list = [UInt8(chosen.utf8.count)] + Array(chosen.utf8)
            extensions += big16(16) + field(field(list))
        }
        let body = [3, min(version, 3)] + random + [0, 0x13, 0x01, 0] + field(extensions)
        return message(2, body)
    }

    private static func certificateMessage(_ certificate: [UInt8]) -> [UInt8] {
        let list = big24(certificate.count) + certificate
        return message(11, big24(list.count) + list)
    }

    /// Decodes a connection whose server answers a ClientHello.
    private func decode(
        _ hello: [UInt8], _ answer: [UInt8], size: Int = 4_096
    ) throws -> (log: Decoding, json: String) {
        var connection = ScriptedConnection(server: "10.0.0.2:6697")
        connection.open()
        for (bytes, isClient) in [(hello, true), (answer, false)] {
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = Array(bytes[start..<min(start + size, bytes.count)])
                connection.send(piece, fromClient: isClient)
            }
        }
        connection.send(Self.record([1, 2, 3], type: 23))
        connection.close()
        return (try Decoding.log(connection.capture), try Decoding.json(connection.capture).text)
    }

    @Test(arguments: [4_096, 6, 100])
    func showsTheHandshakeOfTLS12(size: Int) throws {
        let hello = Self.record(Self.clientHello("irc.example.org", ["irc", "h2"]))
        let answer =
            Self.record(Self.serverHello(3, "irc"))
            + Self.record(Self.certificateMessage(Self.bytes(Self.certificate)))
            + Self.record(Self.message(14, []))
        let (log, json) = try decode(hello, answer, size: size)
        let shown = log.lines.filter { $0.contains("TLS 1.2") }
        #expect(
            shown == [
                "#1            · TLS 1.2, server name irc.example.org, ALPN irc, certificate for "
                    + "irc.example.org *.example.org 192.0.2.1 2001:db8::1"
            ], "\(log.text)")
        #expect(log.lines.last == "#1            · closed")
        #expect(
            json.contains(
                #""version":"1.2","serverName":"irc.example.org","protocols":["irc"],"#
                    + #""certificateNames":["irc.example.org","*.example.org","192.0.2.1","#
                    + #""2001:db8::1"]}"#), "\(json)")
    }

    @Test func showsTheHandshakeOfTLS13() throws {
        let hello = Self.record(Self.clientHello("irc.example.org", ["irc"]))
        let answer = Self.record(Self.serverHello(4)) + Self.record([9, 9], type: 23)
        let log = try decode(hello, answer).log
        #expect(
            log.lines.contains("#1            · TLS 1.3, server name irc.example.org, ALPN irc"),
            "\(log.text)")
    }

    @Test func withoutAnAnswerTheClientsOffersAreShown() throws {
        let log = try decode(Self.record(Self.clientHello("a\u{1B}b", [])), []).log
        #expect(
            log.lines.contains(#"#1            · TLS (unanswered), server name a\x1bb"#),
            "\(log.text)")
    }

    @Test func handshakesMayBeCutOffAnywhere() throws {
        let hello = Self.record(Self.clientHello("irc.example.org", ["irc"]))
        let answer =
            Self.record(Self.serverHello(3))
            + Self.record(Self.certificateMessage(Self.bytes(Self.certificate)))
        for count in stride(from: 0, to: answer.count, by: 7) {
            let log = try decode(hello, Array(answer[..<count])).log
            #expect(log.lines.count { $0.contains("server name irc.example.org") } == 1)
        }
    }

    @Test func handshakeBytesAreLimited() {
        var handshake = TLSHandshake()
        let piece = [UInt8](repeating: 1, count: 16_384)
        for _ in 0..<(TLSHandshake.bytesMax / 16_384) {
            handshake.read(piece.span, .fromServer)
            #expect(!handshake.isOver(.fromServer))
        }
        handshake.read([1].span, .fromServer)
        #expect(handshake.isOver(.fromServer))
        #expect(handshake.heldBytes == 0)
    }

    // MARK: Certificates

    @Test func namesOfCertificatesAreFound() {
        func names(_ certificate: String) -> [String] {
            CertificateSearch.find(in: Self.bytes(certificate)).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        #expect(
            names(Self.certificate)
                == ["irc.example.org", "*.example.org", "192.0.2.1", "2001:db8::1"])
        #expect(names(Self.plainCertificate) == ["plain.example.org"])
    }

    @Test func damagedCertificatesAreRead() {
        let whole = Self.bytes(Self.certificate)
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0xFF
            _ = CertificateSearch.find(in: damaged)
            #expect(CertificateSearch.find(in: Array(whole[..<index])).count <= 4)
        }
    }
}
