import Testing

@testable import Capture

/// Headers of the PROXY protocol.
@Suite struct ProxyHeaderTests {
    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]

    private static let headers: [(bytes: [UInt8], client: String?)] = [
        (Array("PROXY TCP4 192.0.2.7 10.0.0.2 56324 6667\r\n".utf8), "192.0.2.7:56324"),
        (Array("PROXY TCP6 2001:db8::7 ::1 56324 6667\r\n".utf8), "[2001:db8::7]:56324"),
        (Array("PROXY UNKNOWN\r\n".utf8), nil),
        (Array("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n".utf8), nil),
        (
            signature + [0x21, 0x11, 0, 12, 192, 0, 2, 7, 10, 0, 0, 2, 0xDC, 0x04, 0x1A, 0x0B],
            "192.0.2.7:56324"
        ),
        (
            signature + [0x21, 0x21, 0, 40, 0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11)
                + [7] + [UInt8](repeating: 1, count: 16) + [0xDC, 0x04, 0x1A, 0x0B, 4, 0, 1, 0],
            "[2001:db8::7]:56324"
        ),
        (signature + [0x20, 0, 0, 0], nil),
    ]

    @Test(arguments: headers.indices, [true, false])
    func theHeaderIsNotALine(index: Int, startWasSeen: Bool) throws {
        let (header, client) = Self.headers[index]
        var connection = ScriptedConnection()
        if startWasSeen { connection.open() }
        connection.send(header + Array("NICK alice\r\n".utf8))
        connection.send(":srv 001 alice :Hi\r\n", fromClient: false)
        let log = try Decoding.log(connection.capture)
        let text = client.map { "proxied for \($0)" } ?? "opened by a proxy for itself"
        #expect(log.lines[1] == "#1            · \(text)", "\(log.text)")
        #expect(log.lines[2] == "#1 alice      → nick(nickname: \"alice\")", "\(log.text)")
        #expect(log.counts.conversation.lines == 2 && log.counts.conversation.broken == 0)
        let json = try Decoding.json(connection.capture).text
        let field = client.map { ",\"client\":\"\($0)\"" } ?? ""
        #expect(json.contains("\"connection\":1\(field),\"from\":\"client\"}"), "\(json)")
    }

    @Test func damagedHeadersAreNotRecognised() {
        for (header, _) in Self.headers {
            #expect(ProxyHeader(header.span)?.count == header.count)
            for count in 0..<header.count {
                #expect(ProxyHeader(Array(header[..<count]).span) == nil)
            }
        }
        for text in [
            "PROXY TCP4 192.0.2.7 10.0.0.2 56324\r\n", "PROXY TCP4 ::1 ::1 1 2\r\n",
            "PROXY TCP4 192.0.2.256 10.0.0.2 1 2\r\n", "PROXY TCP4 192.0.2.7 10.0.0.2 1 2\n",
            "PROXY TCP6 1::2::3 ::1 1 2\r\n", "PROXY TCP6 1:2:3:4:5:6:7 ::1 1 2\r\n",
            "PROXY TCP4 192.0.2.7 10.0.0.2 70000 2\r\n", "PROXY alice\r\n",
        ] {
            #expect(ProxyHeader(Array(text.utf8).span) == nil, "\(text)")
        }
    }

    @Test func onlyTheFirstHeaderCounts() throws {
        var connection = ScriptedConnection()
        connection.open()
        let header = "PROXY TCP4 192.0.2.7 10.0.0.2 56324 6667\r\n"
        connection.send(header)
        connection.send(header)
        let log = try Decoding.log(connection.capture)
        #expect(log.lines.count { $0.contains("proxied for") } == 1)
        #expect(log.counts.conversation.lines == 1)
    }

    @Test(arguments: [
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:db8::ff00:42:8329", nil),
        ("1:2:3:4:5:6:7:8", nil), ("fe80::1:0", nil),
    ])
    func addressesAreParsed(text: String, expected: String?) {
        #expect(IPAddress(text: text)?.text == expected ?? text)
    }

    @Test(arguments: ["", ":", ":::", "1", "1:2", "12345::", "g::", "1:2:3:4:5:6:7:8:9", "1::2:"])
    func otherTextIsNoAddress(text: String) {
        #expect(IPAddress(text: text) == nil)
    }
}
