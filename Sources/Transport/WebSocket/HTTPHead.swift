import Diagnostics
import NIOCore
import NIOHTTP1

/// The head of an HTTP request or response: its first line and its headers.
///
/// A WebSocket handshake consists of one head in each direction. It is parsed here rather than by
/// NIOHTTP1's decoders, because the bytes after it belong to WebSocket, and because errors show
/// what a server sent instead.
struct HTTPHead {
    /// The maximum size of a head in bytes.
    static let bytesMax = 16_384
    /// The maximum number of bytes of an unexpected answer shown in an error.
    private static let shownBytesMax = 60

    var firstLine: String
    var headers: HTTPHeaders

    /// The reason a head cannot be read.
    struct Malformed: Error {
        /// The reason, worded to follow `the server`.
        var reason: String
    }

    /// Reads a head and removes it from the buffer. Returns nil if it is not complete yet.
    ///
    /// - Parameter start: the bytes that the head must start with.
    init?(_ buffer: inout ByteBuffer, startingWith start: String) throws(Malformed) {
        let view = buffer.readableBytesView
        guard view.starts(with: start.utf8.prefix(view.count)) else {
            throw Malformed(reason: "did not answer with HTTP, but with \(Self.shown(view))")
        }
        guard let count = Self.count(of: buffer) else {
            guard view.count < Self.bytesMax else {
                throw Malformed(reason: "sent HTTP headers of more than \(Self.bytesMax) bytes")
            }
            return nil
        }
        guard count <= Self.bytesMax else {
            throw Malformed(reason: "sent HTTP headers of more than \(Self.bytesMax) bytes")
        }
        let text = String(decoding: view.prefix(count - Self.endBytes), as: UTF8.self)
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        firstLine = String(lines.removeFirst())
        headers = HTTPHeaders()
        for line in lines {
            // `HTTPHeaders` accepts only ASCII in names.
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                line[..<colon].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { throw Malformed(reason: "sent a malformed HTTP header") }
            let value = line[line.index(after: colon)...]
                .trimmingPrefix { $0 == " " || $0 == "\t" }
            headers.add(name: String(line[..<colon]), value: String(value))
        }
        buffer.moveReaderIndex(forwardBy: count)
    }

    /// Number of bytes in the empty line at the end and the line break before it.
    private static let endBytes = 4

    /// Returns the number of bytes up to the end of the head, which is an empty line; nil if it is
    /// not complete.
    ///
    /// A peer may send the head byte by byte, so this must take little time.
    private static func count(of buffer: ByteBuffer) -> Int? {
        unsafe buffer.withUnsafeReadableBytes { bytes in
            var offset = endBytes - 1
            while offset < bytes.count {
                if unsafe bytes[offset] == 10, unsafe bytes[offset - 1] == 13,
                    unsafe bytes[offset - 2] == 10, unsafe bytes[offset - 3] == 13
                {
                    return offset + 1
                }
                offset += 1
            }
            return nil
        }
    }

    /// Returns true if the header is a list that contains `word`, ignoring case. `word` must be in
    /// lower case.
    func lists(_ word: String, in header: String) -> Bool {
        headers[canonicalForm: header].contains { $0.lowercased() == word }
    }

    private static func shown(_ bytes: ByteBufferView) -> String {
        let line = bytes.prefix { $0 != 13 && $0 != 10 }.prefix(shownBytesMax)
        return "`\(escapedForDisplay(Array(line)))`"
    }
}
