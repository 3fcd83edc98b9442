/// Replaces secrets with a fixed number of asterisks, so that their length is not revealed.
package struct SecretMask: Sendable {
    private static let stars = Array("***".utf8)

    private let secrets: [[UInt8]]

    package init(_ secrets: [[UInt8]]) {
        // Longest first, so that a secret that contains another one is masked as a whole.
        self.secrets = secrets.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// Returns the bytes with each secret masked.
    package func masked(_ bytes: [UInt8]) -> [UInt8] {
        secrets.reduce(bytes) { Self.replacing($1, in: $0) }
    }

    /// Returns true if the bytes may contain a masked secret.
    static func isPresent(in bytes: [UInt8]) -> Bool {
        var run = 0
        for byte in bytes {
            run = byte == stars[0] ? run + 1 : 0
            if run == stars.count { return true }
        }
        return false
    }

    /// Returns the text with each secret masked.
    package func masked(_ text: String) -> String {
        secrets.isEmpty ? text : String(decoding: masked(Array(text.utf8)), as: UTF8.self)
    }

    private static func replacing(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= secret.count else { return bytes }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes.count - index >= secret.count,
                bytes[index..<(index + secret.count)].elementsEqual(secret)
            {
                result += stars
                index += secret.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
