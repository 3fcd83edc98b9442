/// Mask that replaces each secret in a text with three asterisks, so that the length of the secret
/// is not revealed.
///
/// Secrets are also found if they are escaped, in a different letter case or in another character
/// encoding (``SecretSpelling``), and in data in base64, base32, hexadecimal or lists of characters
/// and numbers (``SecretScanner``).
package struct SecretMask: Sendable {
    /// The text that replaces a secret.
    package static let stars = Array("***".utf8)
    /// Minimum length in bytes of the secrets that are masked in all output of a process. A shorter
    /// secret or a number could occur in a report by chance, for example in a time.
    package static let outputBytesMin = 6

    /// Maximum number of secrets that are learned from lines. A server can send any number of
    /// different ones, and each makes the search slower.
    package static let learnedMax = 100

    private var secrets: [SecretSpelling] = []
    private var starts = SecretStarts()
    private var learnedCount = 0

    package init(_ secrets: some Sequence<[UInt8]> = []) {
        for secret in secrets { add(secret) }
    }

    package var isEmpty: Bool { secrets.isEmpty }

    /// Adds a secret. Empty secrets and duplicates are ignored.
    package mutating func add(_ secret: [UInt8]) {
        guard !secret.isEmpty, secret != Self.stars, !contains(secret) else { return }
        append(SecretSpelling(secret))
        if let password = SecretSpelling.saslPassword(in: secret), !contains(password) {
            append(SecretSpelling(password))
        }
        for form in SecretSpelling.variants(of: secret) where !contains(form) {
            append(SecretSpelling(form, isVariant: true))
        }
    }

    private mutating func append(_ spelling: SecretSpelling) {
        starts.add(spelling)
        secrets.append(spelling)
    }

    private func contains(_ secret: [UInt8]) -> Bool {
        secrets.contains { $0.secret == secret }
    }

    /// Adds a secret that was found in a line. Short values are ignored, because they may be
    /// ordinary words, and so are all values after the first ``learnedMax``.
    package mutating func learn(_ secret: [UInt8]) {
        guard secret.count >= SecretSpelling.embeddedBytesMin, learnedCount < Self.learnedMax,
            !contains(secret)
        else { return }
        learnedCount += 1
        add(secret)
    }

    /// Adds a secret that must not appear in any output. Short secrets and numbers are ignored.
    package mutating func hide(_ secret: [UInt8]) {
        if Self.canHide(secret) { add(secret) }
    }

    /// Adds a secret that was found in a line and must not appear in any output. Short secrets,
    /// numbers and all values after the first ``learnedMax`` are ignored.
    package mutating func hideLearned(_ secret: [UInt8]) {
        if Self.canHide(secret) { learn(secret) }
    }

    private static func canHide(_ secret: [UInt8]) -> Bool {
        secret.count >= outputBytesMin && !secret.allSatisfy(ASCIIText.isDigit)
    }

    /// Returns the bytes with each secret replaced.
    package func masked(_ bytes: [UInt8]) -> [UInt8] {
        replacing(ranges(in: bytes), in: bytes)
    }

    /// Returns the text with each secret replaced.
    package func masked(_ text: String) -> String {
        if secrets.isEmpty { return text }
        let bytes = Array(text.utf8)
        let ranges = ranges(in: bytes)
        if ranges.isEmpty { return text }
        return String(decoding: replacing(ranges, in: bytes), as: UTF8.self)
    }

    /// Returns the source with each byte of a secret replaced by an asterisk, so that positions
    /// stay valid.
    package func masked(_ source: SourceText) -> SourceText {
        let ranges = ranges(in: source.bytes)
        return source.covering(ranges)
    }

    /// Returns the ranges of secrets, in order and without overlaps.
    package func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        measuredRanges(in: bytes).ranges
    }

    /// Returns the ranges of secrets, and the number of steps that finding them took.
    func measuredRanges(in bytes: [UInt8]) -> (ranges: [Range<Int>], steps: Int) {
        if secrets.isEmpty { return ([], 0) }
        var scanner = SecretScanner(secrets, starts)
        return (scanner.ranges(in: bytes), scanner.steps)
    }

    private func replacing(
        _ ranges: [Range<Int>], in bytes: [UInt8]
    ) -> [UInt8] {
        if ranges.isEmpty { return bytes }
        var result: [UInt8] = []
        var start = 0
        for range in ranges {
            result += bytes[start..<range.lowerBound]
            result += Self.stars
            start = range.upperBound
        }
        return result + bytes[start...]
    }
}

extension SourceText {
    /// Returns the source with the bytes in the ranges replaced by asterisks, except for line ends.
    package func covering(_ ranges: [Range<Int>]) -> SourceText {
        if ranges.isEmpty { return self }
        var bytes = bytes
        for range in ranges {
            for index in range where bytes[index] != UInt8(ascii: "\n") {
                bytes[index] = UInt8(ascii: "*")
            }
        }
        return SourceText(path: path, bytes: bytes)
    }
}
