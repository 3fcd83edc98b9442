import Diagnostics
import Testing

@testable import Transport

struct WebSocketAddressTests {
    @Test(arguments: [
        ("ws://host", "ws://host:80/"),
        ("ws://host:8080/", "ws://host:8080/"),
        ("wss://host/chat/room", "wss://host:443/chat/room"),
        ("WS://[::1]:7/x?a=b&c", "ws://[::1]:7/x?a=b&c"),
        ("ws://host?a@b", "ws://host:80/?a@b"),
        (
            "ws://host/#origin=https://x:1,messages=stream,frames=binary,protocol=text.ircv3.net",
            "ws://host:80/#protocol=text.ircv3.net,frames=binary,messages=stream,origin=https://x:1"
        ),
    ])
    func addressesInAllForms(text: String, meaning: String) throws {
        let endpoint = try Endpoint(parsing: text)
        #expect(endpoint.url == meaning)
        #expect(try Endpoint(parsing: meaning) == endpoint)
        #expect(endpoint.isComplete)
        #expect(endpoint.withDefaultPort(6667) == endpoint)
    }

    @Test func aQueryIsNotShown() throws {
        let endpoint = try Endpoint(parsing: "ws://host/x?token=secret#frames=text")
        #expect(endpoint.description == "ws://host:80/x?***#frames=text")
        let error = try #require(throws: Diagnosed.self) {
            try Endpoint(parsing: "ws://host/x?token=secret#frame=text")
        }
        let text = DiagnosticRenderer().text(error.diagnostics)
        #expect(!text.contains("secret"), "\(text)")
        #expect(text.contains("#frame=text"), "\(text)")
    }

    @Test func onlyAListenerMayHavePort0() throws {
        #expect(try Endpoint(listening: "ws://127.0.0.1:0/chat").port == 0)
        #expect(throws: Diagnosed.self) { try Endpoint(parsing: "ws://127.0.0.1:0/chat") }
    }

    @Test(arguments: [
        ("ws://", "the host is missing", "", "write localhost"),
        ("ws://:80/x", "the host is missing", ":80", "write localhost:80"),
        ("ws://host:0/x", "a port must be a number from 1 to 65535", "0", "supported forms:"),
        ("ws://joe@host/x", "a server address cannot contain a user name", "***@", "use only host"),
        ("ws://host/a b", "this byte is not allowed in a WebSocket URL", " ", "%20"),
        ("ws://host/ü", "this byte is not allowed in a WebSocket URL", "\u{C3}", "%C3"),
        ("ws://host/\u{1}", "this byte is not allowed in a WebSocket URL", "\u{1}", "%01"),
        ("ws://host/#x", "unknown WebSocket option `x`", "x", "options: protocol=NAME"),
        ("ws://host/#frame=text", "unknown WebSocket option `frame`", "frame=text", "`frames`"),
        ("ws://host/#frames=Text", "expected `text` or `binary`", "Text", "frames=binary"),
        ("ws://host/#messages", "expected `lines` or `stream`", "", "messages=stream"),
        (
            "ws://host/#protocol=a b", "a WebSocket subprotocol must be a name without spaces",
            "a b",
            "protocol=text.ircv3.net"
        ),
        ("ws://host/#origin=", "an origin must be a URL", "", "https://chat.example"),
        ("ws://host/#frames=text,,", "unknown WebSocket option ``", "", "options: protocol=NAME"),
    ])
    func badAddressesAreShownWithTheFix(
        text: String, message: String, marked: String, help: String
    ) throws {
        let error = try #require(throws: Diagnosed.self) { try Endpoint(parsing: text) }
        let diagnostic = try #require(error.diagnostics.first)
        #expect(diagnostic.message.hasPrefix(message))
        #expect(diagnostic.notes.contains { $0.text.contains(help) })
        let location = try #require(diagnostic.location)
        let bytes = location.source.bytes(in: location.range)
        if marked != "\u{C3}" { #expect(String(decoding: bytes, as: UTF8.self) == marked) }
    }
}
