import Diagnostics

/// Where two texts part, for a person who sees both and finds no difference.
package struct TextDifference {
    /// `they differ from character 11 on: "t" was expected, "d" came`; nil where they do not begin alike,
    /// because then it is seen at once.
    package let sentence: String?

    package init(_ wanted: [UInt8], _ got: [UInt8]) {
        var same = zip(wanted, got).prefix { $0 == $1 }.count
        // A character whose last bytes differ is another character.
        while same > 0, Self.isInside(wanted, same) || Self.isInside(got, same) { same -= 1 }
        guard same > 0, same < max(wanted.count, got.count) else {
            sentence = nil
            return
        }
        let place =
            String(validating: wanted[..<same], as: UTF8.self)
            .map { "character \($0.unicodeScalars.count + 1)" } ?? "byte \(same + 1)"
        let (expected, came) = (Self.unit(wanted, same), Self.unit(got, same))
        sentence =
            switch (expected, came) {
            case (let expected?, let came?):
                "they differ from \(place) on: \(expected) was expected, \(came) came"
            case (let expected?, nil):
                "what came ends before \(place): \(expected) was expected there"
            case (nil, let came):
                "nothing more was expected from \(place) on, \(came ?? "more") came"
            }
    }

    private static func isInside(_ bytes: [UInt8], _ index: Int) -> Bool {
        index < bytes.count && bytes[index] & 0xC0 == 0x80
    }

    /// The character, or the byte that belongs to none, in quotes; nil at the end.
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
