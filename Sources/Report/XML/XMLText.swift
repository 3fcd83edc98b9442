/// XML 1.0 escaping. Control characters that XML does not allow even as references become `\xHH`.
enum XMLText {
    /// Escapes text between tags.
    static func content(_ text: String) -> String { escaped(text, isAttribute: false) }

    /// Escapes the value of an attribute in double quotes.
    static func attribute(_ text: String) -> String { escaped(text, isAttribute: true) }

    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"" where isAttribute: out += "&quot;"
            case "\n" where !isAttribute, "\t" where !isAttribute:
                out.unicodeScalars.append(scalar)
            case "\n", "\t", "\r": out += "&#\(scalar.value);"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
                let digits = String(scalar.value, radix: 16)
                out += "\\x" + (digits.count < 2 ? "0" : "") + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
