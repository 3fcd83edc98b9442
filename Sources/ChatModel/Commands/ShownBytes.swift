/// `bytes` in quotes, what is not printable as `\xHH`, and no more than so many of them.
func shown(_ bytes: some Collection<UInt8>, bytesMax: Int = CommandError.shownBytesMax) -> String {
    var text = "\""
    for scalar in String(decoding: bytes.prefix(bytesMax), as: UTF8.self).unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            text += "\\x" + (scalar.value < 16 ? "0" : "")
            text += String(scalar.value, radix: 16, uppercase: true)
        default: text.unicodeScalars.append(scalar)
        }
    }
    return text + (bytes.count > bytesMax ? "…\"" : "\"")
}

extension CommandError {
    /// How much of what came a message shows.
    public static let shownBytesMax = 48
}
