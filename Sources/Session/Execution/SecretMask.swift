import DialectModel
import Diagnostics

/// Replaces secrets with a fixed number of asterisks, so that their length is not revealed.
package struct SecretMask: Sendable {
    private static let stars = SecretArguments.stars
    /// Shorter values are not learned, because they occur in other words by chance.
    private static let learnedBytesMin = 4

    private var secrets: [[UInt8]]

    package init(_ secrets: [[UInt8]]) {
        // Longest first, so that a secret that contains another one is masked as a whole.
        self.secrets = secrets.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// Adds a value that a line revealed to be secret. Short values are ignored.
    mutating func learn(_ secret: [UInt8]) {
        guard secret.count >= Self.learnedBytesMin, secret != Self.stars,
            !secrets.contains(secret)
        else { return }
        let index = secrets.firstIndex { $0.count < secret.count } ?? secrets.endIndex
        secrets.insert(secret, at: index)
    }

    /// Returns the bytes with each secret replaced.
    package func masked(_ bytes: [UInt8]) -> [UInt8] {
        secrets.reduce(bytes) { Self.replacing($1, in: $0) }
    }

    /// Returns the text with each secret replaced.
    package func masked(_ text: String) -> String {
        secrets.isEmpty ? text : String(decoding: masked(Array(text.utf8)), as: UTF8.self)
    }

    /// Returns the source with each byte of a secret replaced, so that positions stay the same.
    func masked(_ source: SourceText) -> SourceText {
        let bytes = secrets.reduce(source.bytes) { bytes, secret in
            Self.replacing(
                secret, in: bytes,
                with: Array(repeating: UInt8(ascii: "*"), count: secret.count))
        }
        return bytes == source.bytes ? source : SourceText(path: source.path, bytes: bytes)
    }

    private static func replacing(
        _ secret: [UInt8], in bytes: [UInt8], with stars: [UInt8] = stars
    ) -> [UInt8] {
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
