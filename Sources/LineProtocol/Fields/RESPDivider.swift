/// Splitter that divides RESP values into a command and fields.
///
/// If the first element of an array or a push is a string that does not start with a type byte, it
/// is the command. Otherwise, the command is the type byte or, for a null, the whole value (`$-1`,
/// `*-1`, `_`).
struct RESPDivider: Sendable {
    /// Splits the value in `range`, which excludes the final CR LF. Returns false unless `range`
    /// holds exactly one valid value.
    ///
    /// - Parameter namesCommand: true if the first element of an array may be the command.
    func split(
        _ bytes: Span<UInt8>, _ range: Range<Int>, namesCommand: Bool = true,
        _ result: inout SplitLine
    ) -> Bool {
        let upper = range.upperBound
        guard let lower = afterAttributes(bytes, range),
            let value = Element(bytes, lower, upper)
        else { return false }
        result.removeAll()
        result.parts.line = range
        result.parts.verb = lower..<(lower + 1)
        guard value.kind.isAggregate else {
            guard value.end == upper else { return false }
            append(value, to: &result)
            return true
        }
        if value.isNull { result.parts.verb = lower..<upper }
        let mayName = namesCommand && Self.mayName(bytes[lower])
        var offset = value.end
        for index in 0..<value.elements {
            guard let element = Element(bytes, offset, upper),
                let end = element.endOfAll(bytes, upper)
            else { return false }
            if index == 0, mayName, element.isString, Self.isName(element.content, bytes) {
                result.parts.verb = element.content
            } else if element.kind.isAggregate {
                // The CR LF at the end of the line has been removed.
                let last = end == upper ? upper : end - 2
                result.fields.append(Field(offset..<last, form: .verbatim))
            } else {
                result.fields.append(Field(element.content, form: .verbatim))
            }
            offset = end
        }
        return offset == upper
    }

    /// Returns true if the first element of a value with this type byte may be the command.
    static func mayName(_ type: UInt8) -> Bool {
        type == ASCII.asterisk || type == UInt8(ascii: ">")
    }

    /// Returns true if the string in `range` may be a command. A string that starts with a type
    /// byte may not, because it could be mistaken for the command of another kind of value.
    static func isName(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard let first = range.first else { return false }
        return !RESPScan.isType(bytes[first])
    }

    /// Appends the content of a value that is not an aggregate as a field. A null has no field; its
    /// command is the whole value.
    private func append(_ value: Element, to result: inout SplitLine) {
        if value.isNull {
            result.parts.verb = result.parts.line
        } else {
            result.fields.append(Field(value.content, form: .verbatim))
        }
    }

    /// Returns the start of the value after any attributes; nil if an attribute is invalid.
    private func afterAttributes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var lower = range.lowerBound
        while lower < range.upperBound, bytes[lower] == ASCII.pipe {
            guard let attribute = Element(bytes, lower, range.upperBound),
                let end = attribute.endOfAll(bytes, range.upperBound)
            else { return nil }
            lower = end
        }
        return lower
    }

    /// A value. For an aggregate, this excludes its elements, which follow it.
    private struct Element {
        var kind: RESPScan.Kind
        /// The text of a line or the bytes of a bulk string.
        var content: Range<Int>
        /// The number of values that follow as elements.
        var elements = 0
        var isNull = false
        /// True for a simple or bulk string.
        var isString: Bool
        /// Offset after the value: the start of its elements if it is an aggregate, otherwise of
        /// the next value.
        var end: Int

        init?(_ bytes: Span<UInt8>, _ lower: Int, _ upper: Int) {
            guard lower < upper, let kind = RESPScan.Kind(bytes[lower]) else { return nil }
            self.kind = kind
            let lineFeed = firstOffset(of: ASCII.lf, in: bytes, lower..<upper)
            let textEnd = lineFeed.map { RESPScan.withoutCR(bytes, $0, lower) } ?? upper
            content = (lower + 1)..<max(lower + 1, textEnd)
            end = lineFeed.map { $0 + 1 } ?? upper
            let type = bytes[lower]
            isString = type == ASCII.plus
            switch kind {
            case .line: isNull = type == UInt8(ascii: "_")
            case .bulk:
                guard let count = RESPScan.count(bytes, content) else { return nil }
                isNull = count == nil
                guard let count else {
                    content = content.upperBound..<content.upperBound
                    return
                }
                guard end + count <= upper else { return nil }
                isString = type == UInt8(ascii: "$")
                content = end..<(end + count)
                end = end + count == upper ? upper : end + count + 2
                if end > upper { return nil }
            case .aggregate, .attribute:
                guard let count = RESPScan.count(bytes, content) else { return nil }
                isNull = count == nil
                elements = (count ?? 0) * kind.factor
            }
        }

        /// Returns the end of the value including its elements; nil if one of them is invalid.
        func endOfAll(_ bytes: Span<UInt8>, _ upper: Int) -> Int? {
            var offset = end
            var missing = elements
            while missing > 0 {
                guard let next = Element(bytes, offset, upper) else { return nil }
                offset = next.end
                missing += next.elements - 1
                if next.kind == .attribute { missing += 1 }
            }
            return offset
        }
    }
}

extension RESPScan.Kind {
    var isAggregate: Bool {
        switch self {
        case .aggregate, .attribute: true
        case .line, .bulk: false
        }
    }

    /// The number of values per counted element: 2 for a map or an attribute, which hold pairs.
    var factor: Int {
        switch self {
        case .aggregate(let factor): factor
        case .attribute: 2
        case .line, .bulk: 0
        }
    }
}
