/// Conversion between bytes and typed values.
public enum ValueConversion {
    /// Parses unescaped `bytes` as `type`; returns nil if they are invalid.
    public static func value(_ bytes: [UInt8], _ type: ArgumentType) -> ArgumentValue? {
        guard let argument = scalar(bytes.span, 0..<bytes.count, type) else { return nil }
        switch argument.kind {
        case .absent: return .absent
        case .int: return .int(argument.number)
        case .bool: return .bool(argument.number != 0)
        case .decimal:
            return .decimal(Decimal64(unscaled: argument.number, scale: Int(argument.scale)))
        case .time: return .time(argument.number)
        case .choice: return .choice(Int(argument.number))
        case .text: return .text(bytes)
        case .bytes: return .bytes(bytes)
        case .json: return .json(bytes)
        case .xml: return .xml(bytes)
        case .list: return list(bytes, type)
        }
    }

    private static func list(_ bytes: [UInt8], _ type: ArgumentType) -> ArgumentValue? {
        guard case .list(let element, let separator) = type else { return nil }
        guard !bytes.isEmpty else { return .list([]) }
        var values: [ArgumentValue] = []
        for part in bytes.split(separator: separator, omittingEmptySubsequences: false) {
            guard let value = value(Array(part), element) else { return nil }
            values.append(value)
        }
        return .list(values)
    }

    /// Parses the unescaped bytes in `range`; returns nil if they are not valid for the type.
    static func scalar(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ type: ArgumentType
    ) -> DecodedArgument? {
        switch type {
        case .text: DecodedArgument(.text, range: range)
        case .int: integer(bytes, range).map { DecodedArgument(.int, number: $0, range: range) }
        case .bool(let spelling): bool(bytes, range, spelling)
        case .bytes: DecodedArgument(.bytes, range: range)
        case .json: DecodedArgument(.json, range: range)
        case .xml: DecodedArgument(.xml, range: range)
        case .list(let element, let separator): list(bytes, range, element, separator)
        case .decimal: decimal(bytes, range)
        case .time(let format): time(bytes, range, format)
        case .choice(let words): choice(bytes, range, words)
        }
    }

    static func decimal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> DecodedArgument? {
        Decimal64(bytes, range).map {
            DecodedArgument(
                .decimal, number: $0.unscaled, scale: Int32(truncatingIfNeeded: $0.scale),
                range: range)
        }
    }

    static func time(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ format: TimeFormat
    ) -> DecodedArgument? {
        Timestamps.parse(bytes, range, format).map {
            DecodedArgument(.time, number: $0, range: range)
        }
    }

    private static func bool(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ spelling: BoolSpelling
    ) -> DecodedArgument? {
        for word in spelling.yes where bytes.matches(range, word, ignoringCase: true) {
            return DecodedArgument(.bool, number: 1, range: range)
        }
        for word in spelling.no where bytes.matches(range, word, ignoringCase: true) {
            return DecodedArgument(.bool, number: 0, range: range)
        }
        return nil
    }

    private static func choice(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ words: [String]
    ) -> DecodedArgument? {
        for (number, word) in words.enumerated() where word.utf8.count == range.count {
            if zip(word.utf8, range).allSatisfy({ $0 == bytes[$1] }) {
                return DecodedArgument(.choice, number: Int64(number), range: range)
            }
        }
        return nil
    }

    /// Parses a list; returns nil if an element is invalid. Empty input is parsed as an empty list,
    /// although a list with one empty element looks the same.
    private static func list(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ element: ArgumentType, _ separator: UInt8
    ) -> DecodedArgument? {
        let result = DecodedArgument(.list, range: range)
        guard !range.isEmpty, !element.isText else { return result }
        let isInt = element == .int
        var lower = range.lowerBound
        while lower <= range.upperBound {
            var end = lower
            while end < range.upperBound, bytes[end] != separator { end += 1 }
            let isValue =
                isInt
                ? integer(bytes, lower..<end) != nil : scalar(bytes, lower..<end, element) != nil
            guard isValue else { return nil }
            lower = end + 1
        }
        return result
    }

    /// Returns the zero value of a type: empty, 0 or false.
    static func zero(_ type: ArgumentType) -> DecodedArgument {
        switch type {
        case .int: DecodedArgument(.int)
        case .bool: DecodedArgument(.bool)
        case .decimal: DecodedArgument(.decimal)
        case .text: DecodedArgument(.text)
        case .bytes: DecodedArgument(.bytes)
        case .list: DecodedArgument(.list)
        case .time: DecodedArgument(.time)
        case .choice: DecodedArgument(.choice)
        case .json: DecodedArgument(.json)
        case .xml: DecodedArgument(.xml)
        }
    }

    /// Returns the unescaped bytes of `value`; nil if `value` is not of type `type`.
    public static func bytes(_ value: ArgumentValue, _ type: ArgumentType) -> [UInt8]? {
        var result: [UInt8] = []
        switch (value, type) {
        case (.int(let number), .int): append(number, to: &result)
        case (.bool(let flag), .bool(let spelling)):
            guard let word = (flag ? spelling.yes : spelling.no).first else { return nil }
            return word
        case (.decimal(let number), .decimal):
            return (0...Decimal64.scaleMax).contains(number.scale) ? number.bytes : nil
        case (.int(let number), .decimal): append(number, to: &result)
        case (.text(let bytes), _) where type.isText: return bytes
        case (.bytes(let bytes), _) where type.isText: return bytes
        case (.json(let bytes), .json), (.xml(let bytes), .xml): return bytes
        case (.time(let time), .time(let format)): Timestamps.append(time, format, to: &result)
        case (.choice(let index), .choice(let words)):
            guard words.indices.contains(index) else { return nil }
            return Array(words[index].utf8)
        case (.list(let values), .list(let element, let separator)):
            return joined(values, element, separator)
        default: return nil
        }
        return result
    }

    /// Joins the elements with the separator. Returns nil if an element contains the separator, or
    /// if the only element is empty, because the result would be parsed as an empty list.
    private static func joined(
        _ values: [ArgumentValue], _ element: ArgumentType, _ separator: UInt8
    ) -> [UInt8]? {
        var result: [UInt8] = []
        if values.count == 1, let only = values.first, bytes(only, element)?.isEmpty != false {
            return nil
        }
        for (index, value) in values.enumerated() {
            guard let bytes = bytes(value, element), !bytes.contains(separator) else { return nil }
            if index > 0 { result.append(separator) }
            result.append(contentsOf: bytes)
        }
        return result
    }
}

extension ArgumentType {
    /// True if any sequence of bytes is valid.
    var isText: Bool {
        switch self {
        case .text, .bytes, .json, .xml: true
        default: false
        }
    }
}
