import LineProtocol

/// Details from the unencrypted part of a TLS handshake.
package struct TLSDetails: Sendable, Equatable {
    /// The version that the server chose, such as `1.3`; nil if it did not answer.
    package var version: String?
    /// The server name that the client requested (SNI); nil if it requested none.
    package var serverName: [UInt8]?
    /// The application protocol that the server chose or, in TLS 1.3, those that the client
    /// offered (ALPN). In TLS 1.3, the choice is encrypted.
    package var protocols: [[UInt8]] = []
    /// Names in the server's certificate. In TLS 1.3, the certificate is encrypted.
    package var certificateNames: [[UInt8]] = []
}

/// A reader of the unencrypted part of a TLS handshake (RFC 5246, RFC 8446).
final class TLSHandshake {
    /// Maximum number of handshake bytes to read from each side.
    static let bytesMax = 1 << 16
    /// Maximum number of protocols and of certificate names to keep.
    static let namesMax = 16

    private(set) var details = TLSDetails()
    /// True once no more details can be found.
    private(set) var isDone = false
    private var client = Side()
    private var server = Side()

    /// The bytes of one side.
    private struct Side {
        /// Bytes of an incomplete record.
        var records: [UInt8] = []
        /// Bytes of an incomplete handshake message.
        var messages: [UInt8] = []
        var count = 0
    }

    /// Reads the next bytes of a side. Returns true if the handshake's unencrypted part is over.
    func read(_ bytes: Span<UInt8>, _ direction: Direction) -> Bool {
        var side = direction == .fromClient ? client : server
        side.count += bytes.count
        side.records += bytes.array(0..<bytes.count)
        var start = 0
        while !isDone, side.records.count - start >= 5 {
            let count = side.records.span.big16(start + 3)
            let end = start + 5 + Int(count)
            guard side.records[start] == 22 else {
                // Any other record from the server is encrypted, or announces encryption.
                if direction == .fromServer { isDone = true }
                break
            }
            guard side.records.count >= end else { break }
            side.messages += side.records[(start + 5)..<end]
            start = end
            readMessages(&side.messages, direction)
        }
        side.records.removeFirst(start)
        if side.count > Self.bytesMax { isDone = true }
        if direction == .fromClient { client = side } else { server = side }
        return isDone
    }

    private func readMessages(_ bytes: inout [UInt8], _ direction: Direction) {
        while bytes.count >= 4 {
            let count = Int(bytes[1]) << 16 | Int(bytes.span.big16(2))
            guard bytes.count >= 4 + count else { return }
            var body = ByteFields(bytes[4..<(4 + count)])
            switch (direction, bytes[0]) {
            case (.fromClient, 1): readClientHello(&body)
            case (.fromServer, 2): readServerHello(&body)
            case (.fromServer, 11): readCertificate(&body)
            case (.fromServer, 14): isDone = true
            default: break
            }
            bytes.removeFirst(4 + count)
        }
    }

    private func readClientHello(_ body: inout ByteFields) {
        _ = body.take(2 + 32)
        _ = body.field(1)
        _ = body.field(2)
        _ = body.field(1)
        for (type, value) in body.extensions() {
            var value = value
            if type == 0, var names = value.field(2), names.take(1) != nil {
                details.serverName = names.field(2).map { Array($0.bytes) }
            } else if type == 16 {
                details.protocols = protocols(&value)
            }
        }
    }

    private func readServerHello(_ body: inout ByteFields) {
        guard let version = body.take(2), body.take(32) != nil else { return }
        var number = Array(version)
        _ = body.field(1)
        _ = body.take(3)
        for (type, value) in body.extensions() {
            var value = value
            if type == 43, let chosen = value.take(2) {
                number = Array(chosen)
            } else if type == 16 {
                details.protocols = protocols(&value)
            }
        }
        details.version = number[0] == 3 ? Self.versions[number[1]] : nil
        // The rest is encrypted.
        if number == [3, 4] { isDone = true }
    }

    private static let versions: [UInt8: String] = [
        0: "SSL 3.0", 1: "1.0", 2: "1.1", 3: "1.2", 4: "1.3",
    ]

    private func protocols(_ value: inout ByteFields) -> [[UInt8]] {
        var names: [[UInt8]] = []
        guard var list = value.field(2) else { return [] }
        while names.count < Self.namesMax, let name = list.field(1) {
            names.append(Array(name.bytes))
        }
        return names
    }

    private func readCertificate(_ body: inout ByteFields) {
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
