/// Returns the first `bytesMax` bytes as quoted text, with unprintable characters written as
/// `\xHH`.
func quoted(_ bytes: some Collection<UInt8>, bytesMax: Int = CommandError.quotedBytesMax) -> String
{
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
    /// Maximum number of received bytes quoted in an error message.
    public static let quotedBytesMax = 48
}
