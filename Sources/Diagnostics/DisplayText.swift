/// Returns bytes in a printable form: printable UTF-8 is kept, and everything else is written as
/// `\r`, `\n`, `\t`, `\0` or `\xHH`. The result cannot control a terminal. Backslashes are not
/// escaped, so the result can be ambiguous.
public func escapedForDisplay(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    DisplayUnit.forEach(in: bytes) { text += $0.text }
    return text
}

/// Returns a string in a printable form, as `escapedForDisplay(_:)` does for bytes.
public func escapedForDisplay(_ text: String) -> String { escapedForDisplay(text.utf8) }

/// Returns the number of terminal columns that a string occupies once its control characters are
/// escaped.
public func displayWidth(_ text: String) -> Int {
    var width = 0
    DisplayUnit.forEach(in: text.utf8) { width += $0.width }
    return width
}

/// The printable form of a scalar, or of a byte that is not valid UTF-8.
struct DisplayUnit {
    var text: String
    /// Width in columns. For a scalar that combines with the previous one, the number of columns it
    /// adds.
    var width: Int
    /// Number of bytes in the source.
    var byteCount: Int
    /// True for a tab, whose width depends on the column.
    var isTab = false

    /// Calls `body` for each unit in the bytes.
    static func forEach(in bytes: some Sequence<UInt8>, _ body: (DisplayUnit) -> Void) {
        let all = Array(bytes)
        var lastWidth = 0
        forEachScalar(in: all) { range, scalar in
            guard let scalar else {
                lastWidth = 0
                return body(DisplayUnit(text: hex(all[range.lowerBound]), width: 4, byteCount: 1))
            }
            let unit = DisplayUnit(scalar, after: lastWidth)
            if unit.width > 0 { lastWidth = unit.width }
            body(unit)
        }
    }

    private init(text: String, width: Int, byteCount: Int, isTab: Bool = false) {
        self.text = text
        self.width = width
        self.byteCount = byteCount
        self.isTab = isTab
    }

    private init(_ scalar: Unicode.Scalar, after previous: Int) {
        byteCount = UTF8.width(scalar)
        switch scalar {
        case "\r": (text, width) = ("\\r", 2)
        case "\n": (text, width) = ("\\n", 2)
        case "\t": (text, width, isTab) = ("\\t", 2, true)
        case "\0": (text, width) = ("\\0", 2)
        case "\u{FE0F}": (text, width) = (String(scalar), previous == 1 ? 1 : 0)
        case "\u{1F3FB}"..."\u{1F3FF}":
            (text, width) = (String(scalar), previous == 2 ? 0 : 2)
        default:
            if Self.isPrintable(scalar) {
                (text, width) = (String(scalar), Self.width(of: scalar))
            } else {
                text = String(scalar).utf8.map(Self.hex).joined()
                width = 4 * byteCount
            }
        }
    }

    /// Returns false for control characters, line separators, and invisible formatting characters,
    /// some of which can reverse the direction of text.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value >= 0x20 }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: true
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "\\x0\(digits)" : "\\x\(digits)"
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return isWide(scalar.value) ? 2 : 1
        }
    }

    /// Returns true for characters that terminals draw two columns wide (East Asian Wide and
    /// emoji).
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0, 0x23F3,
            0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F, 0x2693, 0x26A1,
            0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE, 0x26D4, 0x26EA,
            0x26F2...0x26F3, 0x26F5, 0x26FA, 0x26FD, 0x2705, 0x270A...0x270B, 0x2728, 0x274C,
            0x274E, 0x2753...0x2755, 0x2757, 0x2795...0x2797, 0x27B0, 0x27BF, 0x2B1B...0x2B1C,
            0x2B50, 0x2B55, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18AFF, 0x1B000...0x1B2FF, 0x1F004,
            0x1F0CF, 0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335,
            0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3,
            0x1F3E0...0x1F3F0, 0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440, 0x1F442...0x1F4FC,
            0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A, 0x1F595...0x1F596,
            0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC, 0x1F6D0...0x1F6D2,
            0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC,
            0x1F7E0...0x1F7EB, 0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF,
            0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
