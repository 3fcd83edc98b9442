import Diagnostics

/// Parses the part of a WebSocket address after host and port.
extension EndpointParser {
    private static let optionForms =
        "options: protocol=NAME, frames=text|binary, messages=lines|stream, origin=URL, proxy=v1|v2"

    /// Parses path, query and options. Returns them and the offset where they start.
    mutating func webSocketAddress(
        from offset: Int
    ) throws(Diagnosed) -> (WebSocketAddress, start: Int) {
        let ends: Set<UInt8> = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        let start = bytes[offset...].firstIndex(where: ends.contains) ?? bytes.count
        let fragment = bytes[start...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let query = bytes[start..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
        if let bad = bytes[start..<fragment].firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F }) {
            throw error(
                "this byte is not allowed in a WebSocket URL", bad..<bad + 1,
                help: "write the byte as %\(Self.hexadecimal(bytes[bad]))")
        }
        var address = WebSocketAddress()
        if query > start { address.path = text(start..<query) }
        if fragment > query { address.query = text(query + 1..<fragment) }
        for option in options(from: fragment + 1) where try !readProxy(option) {
            try readOption(option, into: &address)
        }
        return (address, start)
    }

    private func readOption(
        _ option: Option, into address: inout WebSocketAddress
    ) throws(Diagnosed) {
        let (name, valueRange, range) = option
        let value = text(valueRange)
        switch name {
        case "protocol":
            guard Self.isToken(value) else {
                throw error(
                    "a WebSocket subprotocol must be a name without spaces", valueRange,
                    help: "write protocol=text.ircv3.net")
            }
            address.subprotocol = value
        case "frames":
            guard let frames = WebSocketAddress.Frames(rawValue: value) else {
                throw error("expected `text` or `binary`", valueRange, help: "write frames=binary")
            }
            address.frames = frames
        case "messages":
            guard let messages = WebSocketAddress.Messages(rawValue: value) else {
                throw error(
                    "expected `lines` or `stream`", valueRange, help: "write messages=stream")
            }
            address.messages = messages
        case "origin":
            guard !value.isEmpty, value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw error(
                    "an origin must be a URL", valueRange, help: "write origin=https://chat.example"
                )
            }
            address.origin = value
        default:
            let names = ["protocol", "frames", "messages", "origin", "proxy"]
            throw error(
                "unknown WebSocket option `\(escapedForDisplay(name))`", range,
                help: didYouMean(name, among: names).map { "did you mean `\($0)`?" }
                    ?? Self.optionForms)
        }
    }

    /// Returns true if the text is a token (RFC 9110 §5.6.2), as the names of subprotocols must be.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
            }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + text : text
    }
}
