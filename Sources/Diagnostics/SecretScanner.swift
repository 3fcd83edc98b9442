/// Scanner that finds secrets in a text and in the data encoded in it.
///
/// The work is proportional to the length of the text, for any text.
struct SecretScanner {
    /// Maximum number of nested encodings, such as base64 of hexadecimal.
    static let depthMax = 3

    let secrets: [SecretSpelling]
    private let starts: SecretStarts
    private let hasEncoded: Bool
    /// Number of bytes and sequences read so far, as a measure of the work.
    var steps = 0

    init(_ secrets: [SecretSpelling], _ starts: SecretStarts) {
        self.secrets = secrets
        self.starts = starts
        hasEncoded = secrets.contains(where: \.isEncoded)
    }

    /// Returns the ranges of secrets, in order and without overlaps.
    ///
    /// - Parameter depth: Number of encodings that were decoded to obtain the bytes.
    mutating func ranges(in bytes: [UInt8], depth: Int = 0) -> [Range<Int>] {
        steps += bytes.count
        var reader = EscapeReader(bytes)
        var found = spellings(in: &reader, isData: depth > 0)
        addMarkup(bytes, isData: depth > 0, to: &found)
        addParts(&reader, to: &found)
        if hasEncoded, depth < Self.depthMax, Self.canBeEncoded(bytes) {
            addDigits(.base64, &reader, depth, to: &found)
            addDigits(.base32, &reader, depth, to: &found)
            addDigits(.binary, &reader, depth, to: &found)
            addHexadecimal(bytes, depth, to: &found)
            addLists(bytes, to: &found)
            addGroupedNumbers(bytes, to: &found)
            addDumps(bytes, depth, to: &found)
        }
        steps += reader.steps
        return Self.merged(found)
    }

    /// Returns the ranges of spellings of secrets, except for those that are encoded as a whole.
    mutating func spellings(in reader: inout EscapeReader, isData: Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var offset = starts.next(in: reader.bytes, from: 0)
        while offset < reader.bytes.count {
            if !reader.isInsideBackslashes(offset),
                let range = longest(&reader, offset, isData: isData)
            {
                found.append(range)
                offset = range.upperBound
            } else {
                offset += 1
            }
            offset = starts.next(in: reader.bytes, from: offset)
        }
        return found
    }

    /// Returns the range of the longest secret at an offset, so that a secret that contains another
    /// one is masked as a whole; nil if there is no secret.
    private func longest(
        _ reader: inout EscapeReader, _ offset: Int, isData: Bool
    ) -> Range<Int>? {
        var longest: Range<Int>?
        func add(_ end: Int?) {
            guard let end, end > longest?.upperBound ?? 0 else { return }
            longest = offset..<end
        }
        let characters = reader.characters(at: offset)
        if offset > 0, EscapeReader.isSpecial(reader.bytes[offset]),
            !starts.canBegin(with: characters)
        {
            return nil
        }
        for secret in secrets where !isData || secret.isEncoded {
            if secret.isWord {
                add(secret.wordRange(in: reader.bytes, at: offset)?.upperBound)
                continue
            }
            if secret.begins(with: characters) {
                add(secret.end(in: &reader, at: offset))
            }
            if offset == 0 {
                for first in secret.tails {
                    add(secret.end(in: &reader, at: offset, from: first))
                }
            }
        }
        return longest
    }

    /// Returns false if all runs of printable characters are too short for an encoded secret.
    private static func canBeEncoded(_ bytes: [UInt8]) -> Bool {
        var count = 0
        for byte in bytes {
            let isText =
                byte >= 0x20 && byte < 0x7F || byte == 0x09 || ASCIIText.isLineEnd(byte)
                || byte == 0x03 || byte == 0x1B
            count = isText ? count + 1 : 0
            if count > SecretSpelling.encodedBytesMin { return true }
        }
        return false
    }

    private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        if ranges.count < 2 { return ranges }
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, last.upperBound >= range.lowerBound {
                result[result.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
