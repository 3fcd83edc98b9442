import Diagnostics
import Testing
import Transport

struct EndpointTests {
    @Test(arguments: [
        ("tcp://chat.example:7000", "tcp://chat.example:7000"),
        ("127.0.0.1:6667", "tcp://127.0.0.1:6667"),
        ("localhost", "tcp://localhost"),
        ("LOCALHOST:1", "tcp://localhost:1"),
        ("[::1]:6667", "tcp://[::1]:6667"),
        ("tcp://[fe80::1%eth0]:65535", "tcp://[fe80::1%eth0]:65535"),
        ("tls://host:7001/", "tls://host:7001"),
        ("irc://host", "tcp://host:6667"),
        ("IRC://host:7", "tcp://host:7"),
        ("ircs://host", "tls://host:6697"),
        ("nats://host", "tcp://host:4222"),
        ("livechat://host", "tcp://host"),
        ("tcp://host:1#proxy=v1", "tcp://host:1#proxy=v1"),
        ("ircs://host/#proxy=v2", "tls://host:6697#proxy=v2"),
        ("[::1]:6667#proxy=v2", "tcp://[::1]:6667#proxy=v2"),
        ("wss://host/#proxy=v1,frames=text", "wss://host:443/#frames=text,proxy=v1"),
        ("unix:/run/chat.sock", "unix:/run/chat.sock"),
        ("unix:///run/chat.sock", "unix:/run/chat.sock"),
    ])
    func endpointsInAllForms(text: String, meaning: String) throws {
        let endpoint = try Endpoint(parsing: text)
        #expect(endpoint.description == meaning)
        #expect(try Endpoint(parsing: meaning).address == endpoint.address)
    }

    @Test func schemesNameTheirDialect() throws {
        #expect(try Endpoint(parsing: "ircs://host").dialect == "irc")
        #expect(try Endpoint(parsing: "livechat://host").dialect == "livechat")
        #expect(try Endpoint(parsing: "host:1").dialect == nil)
    }

    @Test func theDialectsPortIsTakenWhereNoneIsGiven() throws {
        let bare = try Endpoint(parsing: "livechat://host")
        #expect(!bare.isComplete)
        #expect(bare.withDefaultPort(7070).location == "host:7070")
        #expect(try Endpoint(parsing: "host:1").withDefaultPort(7070).port == 1)
        #expect(try Endpoint(parsing: "unix:/s").withDefaultPort(7070).isComplete)
    }

    @Test(arguments: [
        ("", "the server address is empty", "", "supported forms:"),
        ("ircd://host", "unsupported scheme `ircd`", "ircd", "did you mean `irc://`?"),
        ("http://host", "unsupported scheme `http`", "http", "supported schemes: tcp, tls, irc"),
        ("tcp://", "the host is missing", "", "write localhost"),
        (":6667", "the host is missing", ":6667", "write localhost:6667"),
        ("6667", "the host is missing", "6667", "write localhost:6667"),
        ("::1:6667", "an IPv6 address must be in brackets", "::1:6667", "write [::1]:6667"),
        ("[::1:6667", "the bracket is not closed", "[", "write [::1]:6667"),
        ("[::1]6667", "expected `:` and the port", "6667", "write [::1]:6667"),
        ("[host]:1", "not an IPv6 address", "host", "write [::1]:6667"),
        ("host:", "the port is missing", ":", "supported forms:"),
        ("host:0", "a port must be a number from 1 to 65535", "0", "supported forms:"),
        ("host:65536", "a port must be a number from 1 to 65535", "65536", "supported forms:"),
        ("host:+1", "a port must be a number from 1 to 65535", "+1", "supported forms:"),
        ("host:1/room", "unexpected text after the port", "/room", "use only host and port"),
        ("host:1#proxy=v3", "expected `v1` or `v2`", "v3", "write proxy=v1"),
        ("host:1#proxy", "expected `v1` or `v2`", "", "write proxy=v1"),
        ("host:1#frames=text", "unknown option `frames`", "frames=text", "options: proxy=v1|v2"),
        ("host:1/room#proxy=v1", "unexpected text after the port", "/room#proxy=v1", "use only"),
        (
            "joe@host:1", "a server address cannot contain a user name", "***@",
            "use only host and port"
        ),
        ("ho st:1", "a host name can contain only letters", " ", "supported forms:"),
        ("bücher:1", "a host name can contain only letters", "\u{C3}", "xn--"),
        ("unix:", "the path is missing", "", "write unix:"),
    ])
    func badEndpointsAreShownWithTheFix(
        text: String, message: String, marked: String, help: String
    ) throws {
        let error = try #require(throws: Diagnosed.self) { try Endpoint(parsing: text) }
        let diagnostic = try #require(error.diagnostics.first)
        #expect(diagnostic.message.hasPrefix(message))
        #expect(diagnostic.notes.contains { $0.text.hasPrefix(help) || $0.text.contains(help) })
        let location = try #require(diagnostic.location)
        #expect(location.source.path == "--server")
        let bytes = location.source.bytes(in: location.range)
        if marked != "\u{C3}" { #expect(String(decoding: bytes, as: UTF8.self) == marked) }
    }

    @Test func lengthsAreBounded() throws {
        let host = String(repeating: "a", count: Endpoint.textBytesMax)
        #expect(try Endpoint(parsing: host).host == host)
        #expect(throws: Diagnosed.self) { try Endpoint(parsing: host + "a") }
        let path = "/" + String(repeating: "p", count: 106)
        #expect(try Endpoint(parsing: "unix:" + path).location == path)
        #expect(throws: Diagnosed.self) { try Endpoint(parsing: "unix:" + path + "p") }
    }
}
