import Diagnostics

/// The first difference between two strings that begin with the same characters.
package struct TextDifference {
    /// An explanation such as `they differ at character 11: expected "t", got "d"`; nil if the
    /// strings differ in the first character or are equal.
    package let sentence: String?

    package init(_ wanted: [UInt8], _ got: [UInt8]) {
        var same = zip(wanted, got).prefix { $0 == $1 }.count
        // If the strings differ in a trailing byte of a character, the whole character differs.
        while same > 0, Self.isInside(wanted, same) || Self.isInside(got, same) { same -= 1 }
        guard same > 0, same < max(wanted.count, got.count) else {
            sentence = nil
            return
        }
        let position =
            String(validating: wanted[..<same], as: UTF8.self)
            .map { "character \($0.unicodeScalars.count + 1)" } ?? "byte \(same + 1)"
        let (expected, came) = (Self.unit(wanted, same), Self.unit(got, same))
        sentence =
            switch (expected, came) {
            case (let expected?, let came?):
                "they differ at \(position): expected \(expected), got \(came)"
            case (let expected?, nil):
                "the received text ends before \(position): expected \(expected)"
            case (nil, let came):
                "expected the text to end at \(position), got \(came ?? "more")"
            }
    }

    private static func isInside(_ bytes: [UInt8], _ index: Int) -> Bool {
        index < bytes.count && bytes[index] & 0xC0 == 0x80
    }

    /// Returns the character or invalid byte at an index, in quotes; nil at the end.
    private static func unit(_ bytes: [UInt8], _ index: Int) -> String? {
        guard index < bytes.count else { return nil }
        var end = index + 1
        while isInside(bytes, end), end - index < 4 { end += 1 }
        let unit =
            String(validating: bytes[index..<end], as: UTF8.self) == nil
            ? bytes[index...index] : bytes[index..<end]
        return "\"\(escapedForDisplay(unit))\""
    }
}
