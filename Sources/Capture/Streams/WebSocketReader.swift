import LineProtocol

/// The state of a WebSocket connection in a capture.
final class WebSocketState {
    /// Readers for the client's and the server's bytes.
    var client = WebSocketReader("GET ")
    var server = WebSocketReader("HTTP/1.1 101")
}

/// A reader for one direction of a WebSocket connection (RFC 6455 §5): the handshake header,
/// followed by frames.
struct WebSocketReader {
    /// Maximum size of a handshake header, in bytes.
    static let headBytesMax = 16_384

    /// Part of a message.
    struct Piece {
        var bytes: [UInt8]
        /// True if the message ends with this part.
        var isLast: Bool
    }

    /// The reason the rest of a connection cannot be read.
    enum Problem: Error {
        /// The bytes are not valid WebSocket data.
        case malformed
        /// Messages are compressed.
        case compressed
    }

    private enum State {
        case head
        case header
        /// Within the payload of a frame, with this many bytes still to be read.
        case payload(Int)
    }

    private let start: [UInt8]
    private var state = State.head
    /// The bytes of an unfinished handshake or frame header.
    private var held: [UInt8] = []
    /// First byte of the current frame.
    private var first: UInt8 = 0
    private var mask: [UInt8] = []
    /// Number of bytes of the current frame that have been unmasked.
    private var unmasked = 0
    /// Joiner that adds line terminators to messages; nil until the dialect is known.
    var joiner: MessageJoiner?

    init(_ start: String) { self.start = Array(start.utf8) }

    /// Returns whether the bytes start with a client's handshake: an HTTP request that mentions
    /// WebSocket.
    static func isHandshake(_ bytes: Span<UInt8>) -> Bool {
        let text = bytes.extracting(0..<min(bytes.count, headBytesMax)).lowercasedText
        guard text.hasPrefix("get /"), let end = text.firstIndex(of: "\r\n") else { return false }
        return text[..<end].hasSuffix(" http/1.1") && text.contains("websocket")
    }

    /// Reads bytes, and calls `body` for each message part.
    mutating func read(
        _ bytes: Span<UInt8>, _ body: (Piece) -> Void
    ) throws(Problem) {
        var index = 0
        while index < bytes.count {
            switch state {
            case .head, .header:
                held.append(bytes[index])
                index += 1
                if case .head = state { try endHead() } else { try endHeader(body) }
            case .payload(let missing):
                let count = min(missing, bytes.count - index)
                take(bytes.extracting(index..<index + count), missing == count, body)
                index += count
                state = missing == count ? .header : .payload(missing - count)
            }
        }
    }

    private mutating func endHead() throws(Problem) {
        guard held.count <= Self.headBytesMax,
            held.count > start.count || start.starts(with: held)
        else { throw .malformed }
        guard held.last == ASCII.lf, held.suffix(4) == [13, 10, 13, 10] else { return }
        held = []
        state = .header
    }

    /// Starts a frame if its header is complete.
    private mutating func endHeader(_ body: (Piece) -> Void) throws(Problem) {
        guard held.count >= 2 else { return }
        let short = Int(held[1] & 0x7F)
        let lengthBytes = short < 126 ? 0 : short == 126 ? 2 : 8
        let maskBytes = held[1] & 0x80 == 0 ? 0 : 4
        guard held.count == 2 + lengthBytes + maskBytes else { return }
        first = held[0]
        let opcode = first & 0x0F
        if first & 0x40 != 0 { throw .compressed }
        guard first & 0x30 == 0, opcode <= 2 || (8...10).contains(opcode) else {
            throw .malformed
        }
        var length = lengthBytes == 0 ? UInt64(short) : 0
        for byte in held[2..<2 + lengthBytes] { length = length << 8 | UInt64(byte) }
        guard length <= UInt64(Int32.max) else { throw .malformed }
        mask = Array(held.suffix(maskBytes))
        unmasked = 0
        held = []
        if length == 0 {
            state = .header
            end([], true, body)
        } else {
            state = .payload(Int(length))
        }
    }

    private mutating func take(
        _ bytes: Span<UInt8>, _ isWhole: Bool, _ body: (Piece) -> Void
    ) {
        var piece: [UInt8] = []
        piece.reserveCapacity(bytes.count)
        for index in bytes.indices {
            let key = mask.isEmpty ? 0 : mask[(unmasked + index) & 3]
            piece.append(bytes[index] ^ key)
        }
        unmasked += bytes.count
        end(piece, isWhole, body)
    }

    /// Passes part of a data frame to `body`. Control frames are skipped.
    private func end(_ bytes: [UInt8], _ isWhole: Bool, _ body: (Piece) -> Void) {
        guard first & 0x08 == 0 else { return }
        body(Piece(bytes: bytes, isLast: isWhole && first & 0x80 != 0))
    }
}

extension Span<UInt8> {
    fileprivate var lowercasedText: String {
        var bytes: [UInt8] = []
        for index in indices { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }
}
