/// The secrets in a key log that decrypt TLS (RFC 9850). The raw value is the label of their lines.
enum TLSSecretLabel: String, Sendable, CaseIterable {
    /// The master secret of TLS 1.2 and earlier.
    case master = "CLIENT_RANDOM"
    case early = "CLIENT_EARLY_TRAFFIC_SECRET"
    case clientHandshake = "CLIENT_HANDSHAKE_TRAFFIC_SECRET"
    case serverHandshake = "SERVER_HANDSHAKE_TRAFFIC_SECRET"
    case clientTraffic = "CLIENT_TRAFFIC_SECRET_0"
    case serverTraffic = "SERVER_TRAFFIC_SECRET_0"

    /// Possible lengths of the secret in bytes: those of the hash functions, SHA-256 and SHA-384,
    /// or the fixed length of a master secret.
    var lengths: [Int] { self == .master ? [48] : [32, 48] }
}

/// A line of a key log.
struct TLSKeyLogLine: Equatable {
    /// Length of a ClientHello's random value in bytes.
    static let randomBytes = 32

    var label: TLSSecretLabel
    /// The random value from the ClientHello, which identifies the session.
    var random: [UInt8]
    var secret: [UInt8]

    /// The reason a line is invalid. It contains no part of the line, which may be secret.
    struct Invalid: Error, Equatable {
        var text: String
    }

    /// Parses a line. Returns nil for an empty line, a comment, and a line with an unknown label.
    static func parse(_ line: ArraySlice<UInt8>) throws(Invalid) -> TLSKeyLogLine? {
        let text = line.last == 0x0D ? line.dropLast() : line
        if text.isEmpty || text.first == UInt8(ascii: "#") { return nil }
        let fields = text.split(separator: 0x20, omittingEmptySubsequences: false)
        guard let name = fields.first, !name.isEmpty, name.allSatisfy(isLabelByte) else {
            throw Invalid(text: "expected a label, such as CLIENT_RANDOM, at the start of the line")
        }
        guard let label = TLSSecretLabel(rawValue: String(decoding: name, as: UTF8.self)) else {
            return nil
        }
        guard fields.count == 3 else {
            throw Invalid(
                text: "expected `\(label.rawValue) RANDOM SECRET`, separated by single spaces")
        }
        let random = try bytes(fields[1], "random value", lengths: [randomBytes])
        let secret = try bytes(fields[2], "secret", lengths: label.lengths)
        return TLSKeyLogLine(label: label, random: random, secret: secret)
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Decodes a field of hexadecimal digits.
    private static func bytes(
        _ digits: ArraySlice<UInt8>, _ name: String, lengths: [Int]
    ) throws(Invalid) -> [UInt8] {
        let expected = lengths.map { String(2 * $0) }.joined(separator: " or ")
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue, digit < 0x80 else {
                throw Invalid(
                    text: "the \(name) contains a byte that is not a hexadecimal digit; "
                        + "expected \(expected) digits")
            }
            if let first = high {
                bytes.append(first << 4 | UInt8(value))
                high = nil
            } else {
                high = UInt8(value)
            }
        }
        guard high == nil, lengths.contains(bytes.count) else {
            throw Invalid(
                text: "the \(name) has \(digits.count) hexadecimal digits; expected \(expected)")
        }
        return bytes
    }
}
