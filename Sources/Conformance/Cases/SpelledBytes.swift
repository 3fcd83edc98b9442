import Scenario

/// A converter from bytes to scenario strings with long runs as placeholders, such as
/// `"{{"x" * 600}}"`.
enum SpelledBytes {
    /// Minimum length, in bytes, of a run that is written as a placeholder.
    private static let runMin = 16

    static func string(_ bytes: [UInt8]) -> String {
        StepPrinter.text(Pattern.raw(template(bytes)))
    }

    /// Returns the bytes as a template.
    static func template(_ bytes: [UInt8]) -> Template {
        var pieces: [Template.Piece] = []
        var plain: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            let unit = repeated(bytes, at: offset)
            guard unit.count * unit.times >= runMin, unit.times > 3 else {
                plain.append(bytes[offset])
                offset += 1
                continue
            }
            pieces += Template(plain).pieces
            plain = []
            let piece = Array(bytes[offset..<(offset + unit.count)])
            pieces.append(.placeholder(Placeholder(.bytes(piece, count: unit.times), range: .none)))
            offset += unit.count * unit.times
        }
        return Template(pieces + Template(plain).pieces, range: .none)
    }

    /// Returns the length of the unit that is repeated at an offset (one or two bytes), and how
    /// often it occurs in a row.
    private static func repeated(_ bytes: [UInt8], at offset: Int) -> (count: Int, times: Int) {
        var best = (count: 1, times: 1)
        for count in 1...2 where offset + count <= bytes.count {
            var end = offset + count
            while end < bytes.count, bytes[end] == bytes[end - count] { end += 1 }
            let times = (end - offset) / count
            if times * count > best.count * best.times { best = (count, times) }
        }
        return best
    }
}

extension Value {
    /// Returns a string with long runs as placeholders.
    static func spelled(_ bytes: [UInt8]) -> Value { .template(SpelledBytes.template(bytes)) }
}
