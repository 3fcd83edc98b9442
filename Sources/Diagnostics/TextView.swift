/// Parts of a text, such as the text without markup, with the offset of each byte.
struct TextView {
    private(set) var bytes: [UInt8] = []
    /// The offset of each byte in the original text.
    private var offsets: [Int] = []

    mutating func append(_ byte: UInt8, at offset: Int) {
        bytes.append(byte)
        offsets.append(offset)
    }

    mutating func append(_ text: [UInt8], _ part: Range<Int>) {
        bytes += text[part]
        offsets += part
    }

    /// Removes the last character, which has several bytes in UTF-8 if it is not in ASCII, unless it
    /// ends a line.
    mutating func removeLastCharacter() {
        var isFirst = false
        while !isFirst, let last = bytes.last, !ASCIIText.isLineEnd(last) {
            isFirst = last & 0xC0 != 0x80
            bytes.removeLast()
            offsets.removeLast()
        }
    }

    /// Returns the part of the original text from the first to the last of these bytes.
    func range(_ part: Range<Int>) -> Range<Int> {
        offsets[part.lowerBound]..<offsets[part.upperBound - 1] + 1
    }

    /// Returns the parts of the original text that contain these bytes.
    func pieces(_ part: Range<Int>) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        for offset in offsets[part] {
            if let last = pieces.last, (last.lowerBound...last.upperBound).contains(offset) {
                pieces[pieces.count - 1] = last.lowerBound..<max(last.upperBound, offset + 1)
            } else {
                pieces.append(offset..<offset + 1)
            }
        }
        return pieces
    }
}
