/// Replaces secrets by stars, whose number says nothing.
package struct SecretMask: Sendable {
    private static let stars = Array("***".utf8)

    private let secrets: [[UInt8]]

    /// A mask for some secrets; an empty one is none.
    package init(_ secrets: [[UInt8]]) {
        // The longest first, so that one that contains another is masked whole.
        self.secrets = secrets.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// The bytes with each secret replaced.
    package func masked(_ bytes: [UInt8]) -> [UInt8] {
        secrets.reduce(bytes) { Self.replacing($1, in: $0) }
    }

    /// Whether something may be hidden in the bytes.
    static func stands(in bytes: [UInt8]) -> Bool {
        var run = 0
        for byte in bytes {
            run = byte == stars[0] ? run + 1 : 0
            if run == stars.count { return true }
        }
        return false
    }

    /// The text with each secret replaced.
    package func masked(_ text: String) -> String {
        secrets.isEmpty ? text : String(decoding: masked(Array(text.utf8)), as: UTF8.self)
    }

    private static func replacing(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= secret.count else { return bytes }
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes.count - place >= secret.count,
                bytes[place..<(place + secret.count)].elementsEqual(secret)
            {
                result += stars
                place += secret.count
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }
}
