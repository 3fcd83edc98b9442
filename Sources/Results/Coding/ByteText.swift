/// Bytes in a results file: a string if they are valid UTF-8, otherwise `{"hex": "00ff"}`.
struct ByteText: Codable, Sendable {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private enum Key: String, CodingKey { case hex }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            bytes = Array(text.utf8)
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        let digits = Array(try container.decode(String.self, forKey: .hex).utf8)
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[start..<min(start + 2, digits.count)], as: UTF8.self)
            guard pair.utf8.count == 2, let byte = UInt8(pair, radix: 16) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .hex, in: container,
                    debugDescription: "`\(pair)` is not a hexadecimal byte")
            }
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    func encode(to encoder: any Encoder) throws {
        if let text = String(validating: bytes, as: UTF8.self) {
            var container = encoder.singleValueContainer()
            try container.encode(text)
            return
        }
        var container = encoder.container(keyedBy: Key.self)
        var text = ""
        for byte in bytes {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        try container.encode(text, forKey: .hex)
    }
}
