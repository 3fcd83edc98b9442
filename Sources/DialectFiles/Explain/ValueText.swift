import Diagnostics
import LineProtocol

/// Formatter for argument values in the notation of scenarios.
enum ValueText {
    static func text(_ value: ArgumentValue, _ type: ArgumentType) -> String {
        switch value {
        case .absent: return "–"
        case .int(let number): return String(number)
        case .bool(let flag): return String(flag)
        case .decimal(let number): return String(decoding: number.bytes, as: UTF8.self)
        case .text(let bytes), .bytes(let bytes), .json(let bytes), .xml(let bytes):
            return quoted(bytes)
        case .time(let time):
            let bytes = ValueConversion.bytes(.time(time), .time(.rfc3339)) ?? []
            return String(decoding: bytes, as: UTF8.self)
        case .choice(let index):
            if case .choice(let words) = type, words.indices.contains(index) { return words[index] }
            return String(index)
        case .list(let values):
            var element = type
            if case .list(let inner, _) = type { element = inner }
            return "[" + values.map { text($0, element) }.joined(separator: ", ") + "]"
        }
    }

    /// Returns the bytes as a string literal of the scenario language.
    static func quoted(_ bytes: [UInt8]) -> String {
        var result = "\""
        var input = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &input) {
            case .emptyInput: return result + "\""
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                result += scalar == "\"" ? "\\\"" : scalar == "\\" ? "\\\\" : shown(scalar)
                offset += encoded.count
            case .error(let length):
                let end = min(offset + length, bytes.count)
                for byte in bytes[offset..<end] { result += escapedForDisplay([byte]) }
                offset = end
            }
        }
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        escapedForDisplay(String(scalar))
    }
}
