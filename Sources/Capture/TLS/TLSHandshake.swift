import LineProtocol

/// Details from a TLS handshake. In TLS 1.3, most of them are encrypted.
package struct TLSDetails: Sendable, Equatable {
    /// The version that the server chose, such as `1.3`; nil if it did not answer.
    package var version: String?
    /// The server name that the client requested (SNI); nil if it requested none.
    package var serverName: [UInt8]?
    /// The application protocol that the server chose or, if its choice is not known, those that
    /// the client offered (ALPN).
    package var protocols: [[UInt8]] = []
    /// Names in the server's certificate; empty if the certificate is not known.
    package var certificateNames: [[UInt8]] = []
}

/// A reader of handshake messages (RFC 5246, RFC 8446).
struct TLSHandshake {
    /// Maximum number of handshake bytes to read from each side.
    static let bytesMax = 1 << 16
    /// Maximum number of protocols and of certificate names to keep.
    static let namesMax = 16
    static let serverHelloType: UInt8 = 2
    private static let keyUpdateType: UInt8 = 24

    /// Returns true if the last of these whole messages is a KeyUpdate, after which the sender uses
    /// its next keys (RFC 8446 §4.6.3).
    static func endsWithKeyUpdate(_ messages: ArraySlice<UInt8>) -> Bool {
        var rest = messages
        var type: UInt8?
        while rest.count >= 4 {
            type = rest.first
            let count = rest.dropFirst().prefix(3).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4 + count)
        }
        return type == keyUpdateType && rest.isEmpty
    }

    private(set) var details = TLSDetails()
    /// The client's hello; nil until it has been read.
    private(set) var clientHello: ClientHello?
    /// The server's final hello; nil until it has been read.
    private(set) var serverHello: ServerHello?
    /// True once the server has sent the last message with details.
    private(set) var isDone = false
    /// True if the server has accepted the client's early data; nil while that is not known.
    private(set) var acceptsEarlyData: Bool?
    private var client = Side()
    private var server = Side()

    /// The part of the client's hello that is needed to decrypt.
    struct ClientHello: Equatable {
        var random: [UInt8]
        var suites: [UInt16] = []
        var hasEarlyData = false
    }

    /// The part of the server's hello that is needed to decrypt.
    struct ServerHello: Equatable {
        var random: [UInt8]
        /// The version as a number, such as 0x0304 for TLS 1.3.
        var version: UInt16
        var suite: UInt16
        /// True if the connection's bytes are compressed.
        var isCompressed: Bool

        var isTLS13: Bool { version == 0x0304 }
    }

    /// The messages of one side.
    private struct Side {
        /// Bytes of an incomplete message.
        var bytes: [UInt8] = []
        /// Number of bytes read.
        var count = 0
        /// True if no more messages can be read, because bytes are missing or there were too many.
        var isOver = false
    }

    /// Number of bytes held.
    var heldBytes: Int { client.bytes.count + server.bytes.count }

    /// True if too many bytes have been read from a side, or if some are missing.
    func isOver(_ direction: Direction) -> Bool {
        direction == .fromClient ? client.isOver : server.isOver
    }

    /// Stops reading a side's messages.
    mutating func stop(_ direction: Direction) {
        let over = Side(isOver: true)
        if direction == .fromClient { client = over } else { server = over }
    }

    /// Reads the next bytes of a side's messages.
    mutating func read(_ bytes: Span<UInt8>, _ direction: Direction) {
        guard !isOver(direction) else { return }
        var side = direction == .fromClient ? client : server
        side.count += bytes.count
        side.bytes += bytes.array(0..<bytes.count)
        var start = 0
        while side.bytes.count - start >= 4 {
            let span = side.bytes.span
            let count = Int(span[start + 1]) << 16 | Int(span.big16(start + 2))
            guard side.bytes.count - start >= 4 + count else { break }
            let body = ByteFields(side.bytes[(start + 4)..<(start + 4 + count)])
            read(side.bytes[start], body, direction)
            start += 4 + count
        }
        side.bytes.removeFirst(start)
        if side.count > Self.bytesMax { side = Side(isOver: true) }
        if direction == .fromClient { client = side } else { server = side }
    }

    private mutating func read(_ type: UInt8, _ body: ByteFields, _ direction: Direction) {
        var body = body
        let isTLS13 = serverHello?.isTLS13 ?? false
        switch (direction, type) {
        case (.fromClient, 1): readClientHello(&body)
        case (.fromServer, Self.serverHelloType): readServerHello(&body)
        case (.fromServer, 8) where isTLS13: readEncryptedExtensions(&body)
        case (.fromServer, 11):
            if isTLS13 { _ = body.field(1) }
            readCertificate(&body)
        case (.fromServer, 14): isDone = true
        case (.fromServer, 20) where isTLS13: isDone = true
        default: break
        }
    }

    private mutating func readClientHello(_ body: inout ByteFields) {
        guard body.take(2) != nil, let random = body.take(32), body.field(1) != nil,
            var suites = body.field(2), body.field(1) != nil
        else { return }
        var hello = ClientHello(random: Array(random))
        while let suite = suites.number() { hello.suites.append(suite) }
        for (type, value) in body.extensions() {
            var value = value
            if type == 0, var names = value.field(2), names.take(1) != nil {
                details.serverName = names.field(2).map { Array($0.bytes) }
            } else if type == 16 {
                details.protocols = protocols(&value)
            } else if type == 42 {
                hello.hasEarlyData = true
            }
        }
        clientHello = hello
    }

    private mutating func readServerHello(_ body: inout ByteFields) {
        guard var version = body.number(), let random = body.take(32), body.field(1) != nil,
            let suite = body.number(), let compression = body.take(1)
        else { return }
        var chosen: [[UInt8]]?
        for (type, value) in body.extensions() {
            var value = value
            if type == 43, let number = value.number() {
                version = number
            } else if type == 16 {
                chosen = protocols(&value)
            }
        }
        details.version = Self.versions[version]
        // With this random value, the server asks for another hello (RFC 8446 §4.1.3).
        guard Array(random) != Self.retry else { return }
        if let chosen { details.protocols = chosen }
        serverHello = ServerHello(
            random: Array(random), version: version, suite: suite,
            isCompressed: compression.first != 0)
    }

    private static let versions: [UInt16: String] = [
        0x0300: "SSL 3.0", 0x0301: "1.0", 0x0302: "1.1", 0x0303: "1.2", 0x0304: "1.3",
    ]

    /// Returns the name of a version, such as `TLS 1.3`.
    static func name(ofVersion number: UInt16) -> String {
        guard let name = versions[number] else { return "an unknown version of TLS" }
        return name.hasPrefix("SSL") ? name : "TLS \(name)"
    }

    private static let retry: [UInt8] = [
        0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8,
        0x91, 0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8,
        0x33, 0x9C,
    ]

    private mutating func readEncryptedExtensions(_ body: inout ByteFields) {
        acceptsEarlyData = false
        for (type, value) in body.extensions() {
            var value = value
            if type == 16 {
                details.protocols = protocols(&value)
            } else if type == 42 {
                acceptsEarlyData = true
            }
        }
    }

    private func protocols(_ value: inout ByteFields) -> [[UInt8]] {
        var names: [[UInt8]] = []
        guard var list = value.field(2) else { return [] }
        while names.count < Self.namesMax, let name = list.field(1) {
            names.append(Array(name.bytes))
        }
        return names
    }

    private mutating func readCertificate(_ body: inout ByteFields) {
        guard var list = body.field(3), let first = list.field(3) else { return }
        details.certificateNames = Array(
            CertificateSearch.find(in: Array(first.bytes)).prefix(Self.namesMax))
    }
}

/// A sequence of fields, each preceded by its length.
struct ByteFields {
    private(set) var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Removes and returns `count` bytes; nil if there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    /// Removes and returns a field whose length is in the first `size` bytes; nil if the field is
    /// incomplete.
    mutating func field(_ size: Int) -> ByteFields? {
        guard let length = take(size)?.reduce(0, { $0 << 8 | Int($1) }) else { return nil }
        return take(length).map(ByteFields.init)
    }

    /// Removes and returns a 16-bit number; nil if it is incomplete.
    mutating func number() -> UInt16? { take(2)?.reduce(0) { $0 << 8 | UInt16($1) } }

    /// Removes and returns a list of TLS extensions.
    mutating func extensions() -> [(type: Int, value: ByteFields)] {
        guard var list = field(2) else { return [] }
        var found: [(type: Int, value: ByteFields)] = []
        while let type = list.take(2)?.reduce(0, { $0 << 8 | Int($1) }), let value = list.field(2) {
            found.append((type, value))
        }
        return found
    }
}
