import Diagnostics
import LineProtocol

/// Reader for the words that describe an argument's type.
struct TypeReader {
    static let names = [
        "int", "bool", "decimal", "text", "bytes", "time", "json", "xml", "one of …", "list of …",
    ]
    /// The words that can start a type.
    static let words = plain.keys.sorted() + ["bool", "time", "one", "list"]
    /// Common type names from other languages, with their equivalents.
    private static let elsewhere = [
        "string": "text", "str": "text", "integer": "int", "number": "int", "boolean": "bool",
        "flag": "bool", "float": "decimal", "double": "decimal", "binary": "bytes",
        "date": "time", "enum": "one of a|b", "choice": "one of a|b", "array": "list of text",
    ]

    /// The types that are written as a single word.
    private static let plain: [String: ArgumentType] = [
        "int": .int, "decimal": .decimal, "text": .text, "bytes": .bytes, "json": .json,
        "xml": .xml,
    ]

    let setting: Setting

    typealias Words = ArraySlice<ArgumentWords.Word>

    /// Returns the type, or reports an error and returns nil.
    func type(_ words: Words) -> ArgumentType? {
        guard let head = words.first else {
            fault(.badType, "an argument needs a type", nil, "types: \(listed(Self.names))")
            return nil
        }
        let rest = words.dropFirst()
        switch head.text {
        case "bool": return spelled(rest).map { .bool($0) }
        case "time": return time(rest).map { .time($0) }
        case "one": return choice(rest, head)
        case "list": return list(rest, head)
        default: break
        }
        if let type = Self.plain[head.text] { return ended(type, rest) }
        let suggestion = Self.elsewhere[head.text] ?? didYouMean(head.text, among: Self.words)
        fault(
            .badType, "`\(shortened(head.text))` is not a type", head,
            suggestion.map { "did you mean `\($0)`?" } ?? "types: \(listed(Self.names))")
        return nil
    }

    /// Reads the spellings of a `bool` type, as in `bool as yes|y/no|n`. The first word for each
    /// value is used for sending. Returns nil if they are invalid.
    private func spelled(_ words: Words) -> BoolSpelling? {
        guard let after = words.first else { return .digits }
        let parts = words.dropFirst().first?.text.split(separator: "/").map {
            $0.split(separator: "|").map(String.init)
        }
        guard after.text == "as", words.count == 2, let parts, parts.count == 2,
            !parts.contains(where: \.isEmpty)
        else {
            fault(
                .badType, "expected `as TRUE/FALSE` after `bool`", after,
                "write `bool as 1/0` or `bool as true|t/false|f`")
            return nil
        }
        let both = Set(parts[0].map { $0.lowercased() }).intersection(
            parts[1].map { $0.lowercased() })
        if let word = both.first {
            fault(
                .badType, "`\(shortened(word))` is listed as both true and false", words.last, nil)
            return nil
        }
        return BoolSpelling(yes: parts[0], no: parts[1])
    }

    private func time(_ words: Words) -> TimeFormat? {
        guard let after = words.first else { return .unixSeconds }
        let formats = TimeFormatName.all
        if after.text == "as", words.count == 2, let name = words.last?.text,
            let format = formats.first(where: { $0.name == name })?.format
        {
            return format
        }
        fault(
            .badType, "unknown time format", words.last,
            "formats: \(listed(formats.map { "time as \($0.name)" }))")
        return nil
    }

    private func choice(_ words: Words, _ head: ArgumentWords.Word) -> ArgumentType? {
        let wordsMax = 256
        let list =
            words.count == 2 && words.first?.text == "of"
            ? words.last?.text.split(separator: "|").map(String.init) : nil
        guard let list, !list.isEmpty, list.count <= wordsMax else {
            fault(
                .badType, "a choice needs a list of words", words.last ?? head,
                "write `one of online|away|busy`, without spaces")
            return nil
        }
        if Set(list).count < list.count {
            fault(.badType, "the choice contains a word twice", words.last, nil)
            return nil
        }
        return .choice(list)
    }

    private func list(_ words: Words, _ head: ArgumentWords.Word) -> ArgumentType? {
        guard words.first?.text == "of", words.count >= 2 else {
            fault(
                .badType, "a list needs an element type", words.first ?? head,
                "write `list of int`, or `list of text by semicolon`")
            return nil
        }
        var inner = words.dropFirst()
        var separator = UInt8(ascii: ",")
        if let by = inner.lastIndex(where: { $0.text == "by" }) {
            let after = inner[(by + 1)...]
            guard after.count == 1, let byte = after.first.flatMap({ ByteName.byte($0.text) })
            else {
                fault(
                    .badByte, "the separator after `by` must be one byte", after.last ?? words.last,
                    ByteName.help)
                return nil
            }
            separator = byte
            inner = inner[..<by]
        }
        guard let element = type(inner) else { return nil }
        if case .list = element {
            fault(.badType, "a list cannot contain lists", head, nil)
            return nil
        }
        return .list(of: element, separator: separator)
    }

    private func ended(_ type: ArgumentType, _ rest: Words) -> ArgumentType? {
        guard let word = rest.first else { return type }
        fault(
            .badArgument, "unexpected `\(shortened(word.text))` after the type", word,
            "the order is: type, `= default`, `in POSITION`")
        return nil
    }

    private func fault(
        _ code: DiagnosticCode, _ message: String, _ word: ArgumentWords.Word?, _ help: String?
    ) {
        let value = setting.value
        let range = word.map { value.range(of: $0.bytes, in: setting.problems.source) }
        setting.problems.error(code, message, at: range ?? value.range, help: help)
    }
}

/// The time formats and their names in dialect files.
enum TimeFormatName {
    static let all: [(name: String, format: TimeFormat)] = [
        ("unix-seconds", .unixSeconds), ("unix-milliseconds", .unixMilliseconds),
        ("rfc3339", .rfc3339),
    ]

    static func name(_ format: TimeFormat) -> String {
        all.first { $0.format == format }?.name ?? ""
    }
}
