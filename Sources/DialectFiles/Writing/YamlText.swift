import LineProtocol

/// Formatter for scalars that YAML reads back unchanged.
enum YamlText {
    /// Returns the text, quoted if YAML would misread it.
    static func scalar(_ text: String) -> String {
        isPlain(text) ? text : quoted(text)
    }

    /// Returns the text in quotes: double quotes if it contains control characters, otherwise
    /// single quotes.
    static func quoted(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) {
            return "'"
                + text.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "''") + "'"
        }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if scalar.value < 0x20 || scalar.value == 0x7F {
                    result += "\\x" + ByteName.hex(UInt8(scalar.value)).dropFirst(2)
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }

    private static func isPlain(_ text: String) -> Bool {
        guard YamlWord(text) == nil, let first = text.utf8.first, let last = text.utf8.last,
            last != ASCII.space, last != ASCII.colon
        else { return false }
        let isWordStart = (first | 0x20) &- 0x61 < 26 || ASCII.isDigit(first) || first >= 0x80
        guard isWordStart else { return false }
        let special = Array("[]{},\"'`|<>\r\n\t".utf8)
        guard !text.utf8.contains(where: special.contains) else { return false }
        return !text.contains(": ") && !text.contains(" #")
    }

    static func scalar(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // A command that consists only of digits would be parsed as a number.
        return bytes.allSatisfy(ASCII.isDigit) ? "'\(text)'" : scalar(text)
    }

    /// Returns multi-line text as an indented block.
    static func block(_ text: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        return lines.map { $0.isEmpty ? "" : margin + $0 }
    }
}
