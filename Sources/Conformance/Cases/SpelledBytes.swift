import Scenario

/// A formatter that writes bytes as a scenario string, with long runs as placeholders, such as
/// `"{{"x" * 600}}"`.
enum SpelledBytes {
    /// Minimum length, in bytes, of a run that is written as a placeholder.
    private static let runMin = 16

    static func string(_ bytes: [UInt8]) -> String {
        var text = ""
        var plain: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            let unit = repeated(bytes, at: offset)
            guard unit.count * unit.times >= runMin, unit.times > 3 else {
                plain.append(bytes[offset])
                offset += 1
                continue
            }
            text += inner(plain)
            plain = []
            let piece = Array(bytes[offset..<(offset + unit.count)])
            text += "{{\(ScenarioSpelling.string(piece)) * \(unit.times)}}"
            offset += unit.count * unit.times
        }
        return "\"" + text + inner(plain) + "\""
    }

    /// Returns the length of the unit that is repeated at an offset (one or two bytes), and how
    /// often it occurs in a row.
    private static func repeated(_ bytes: [UInt8], at offset: Int) -> (count: Int, times: Int) {
        var best = (count: 1, times: 1)
        for count in [1, 2] {
            var times = 1
            while offset + count * (times + 1) <= bytes.count,
                bytes[(offset + count * times)..<(offset + count * (times + 1))]
                    == bytes[offset..<(offset + count)]
            {
                times += 1
            }
            if times * count > best.count * best.times { best = (count, times) }
        }
        return best
    }

    private static func inner(_ bytes: [UInt8]) -> String {
        String(ScenarioSpelling.string(bytes).dropFirst().dropLast())
    }
}
