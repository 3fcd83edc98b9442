/// Splitter that divides a line with a JSON object into the command and the members of the body.
///
/// It is a class so that it is passed by reference instead of being copied.
final class JSONDivider: Sendable {
    private let form: JSONSyntax.Form
    let firstWins: Bool
    /// The key whose value is the command; nil if the command is not a top-level member.
    private let verbKey: [UInt8]?
    /// The first key of the path to the command; nil unless the command is inside a nested object.
    let verbContainer: [UInt8]?

    init(_ syntax: JSONSyntax) {
        form = syntax.form
        firstWins = syntax.firstWins
        if case .key(let path) = syntax.form, path.steps.count == 1 {
            verbKey = path.steps[0]
            verbContainer = nil
        } else {
            verbKey = nil
            if case .key(let path) = syntax.form {
                verbContainer = path.steps.first
            } else {
                verbContainer = nil
            }
        }
    }

    /// Splits the line in `range`. The first `room` bytes of the buffer are readable.
    func split(
        _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, room: Int, _ result: inout SplitLine
    ) {
        result.removeAll()
        result.parts.line = range
        result.parts.verb = range.lowerBound..<range.lowerBound
        var scanner = unsafe JSONScanner(bytes, range, room: room)
        var verb: Field?
        guard splitObject(&scanner, &verb, &result) != nil else {
            result.fields.removeAll()
            result.json = JSONParts()
            result.json.error = scanner.error
            result.json.error?.offset -= range.lowerBound
            return
        }
        let buffer = unsafe UnsafeBufferPointer(start: bytes, count: room)
        switch form {
        case .key(let path):
            if verbKey == nil {
                verb = unsafe result.member(at: path, in: buffer.span, firstWins: firstWins)
            }
        case .onlyKey: unsafe splitOnlyKey(buffer, &result)
        case .rpc: verb = unsafe splitRPC(buffer, &result)
        }
        if let verb, unsafe verb.isVerb(in: buffer) {
            result.parts.verb = verb.value
            result.json.verbHasEscape = verb.hasEscape
        }
    }

    /// Scans the whole line. Returns nil if the line is not a JSON object.
    @inline(__always)
    private func splitObject(
        _ scanner: inout JSONScanner, _ verb: inout Field?, _ result: inout SplitLine
    ) -> Void? {
        scanner.skipSpace()
        guard scanner.next == ASCII.openBrace else {
            return scanner.fail(.notAnObject)
        }
        let lower = scanner.offset
        guard appendMembers(&scanner, &verb, &result.fields) != nil else { return nil }
        result.json.body = Field(
            JSONScanner.Token(lower: lower, upper: lower),
            JSONScanner.Token(lower: lower, upper: scanner.offset))
        scanner.skipSpace()
        return scanner.isAtEnd ? () : scanner.fail(.textAfterObject)
    }

    /// Appends the members of the object that starts at the scanner's offset, except the command.
    /// Returns nil if the object is malformed.
    @inline(__always)
    private func appendMembers(
        _ scanner: inout JSONScanner, _ verb: inout Field?,
        _ fields: inout ReusableArray<Field>
    ) -> Void? {
        scanner.skip()
        scanner.skipSpace()
        if scanner.next == ASCII.closeBrace {
            scanner.skip()
            return ()
        }
        while true {
            guard let key = scanner.key(), let value = scanner.value(depth: 1) else { return nil }
            let field = Field(key, value)
            if let verbKey, scanner.matches(field, verbKey) {
                if !firstWins || verb == nil { verb = field }
            } else {
                fields.append(field)
            }
            scanner.skipSpace()
            if scanner.next == ASCII.comma {
                scanner.skip()
                scanner.skipSpace()
                continue
            }
            guard scanner.next == ASCII.closeBrace else { return scanner.fail(.expectedCommaOrEnd) }
            scanner.skip()
            return ()
        }
    }

    /// Takes the command from the key of the only member, and replaces that member with the members
    /// of its value.
    private func splitOnlyKey(
        _ buffer: UnsafeBufferPointer<UInt8>, _ result: inout SplitLine
    ) {
        guard result.fields.count == 1, let only = result.fields.first, let key = only.key else {
            return
        }
        result.parts.verb = key
        result.json.verbHasEscape = only.keyHasEscape
        unsafe enter(only, buffer, &result)
    }

    /// Replaces the members of a JSON-RPC message with the members of its body. Returns the
    /// `method` member, whose value is the command. For an answer, sets the command to the word
    /// `result` or `error` and returns nil.
    private func splitRPC(
        _ buffer: UnsafeBufferPointer<UInt8>, _ result: inout SplitLine
    ) -> Field? {
        func member(_ key: [UInt8]) -> Field? {
            unsafe result.field(key: key, in: buffer.span, firstWins: firstWins)
        }
        result.json.id = member(JSONRPC.id)
        if let method = member(JSONRPC.method) {
            unsafe enter(member(JSONRPC.params), buffer, &result)
            return method
        }
        let answer = member(JSONRPC.result) ?? member(JSONRPC.error)
        unsafe enter(answer, buffer, &result)
        if let answer, let key = answer.key { result.parts.verb = key }
        return nil
    }

    /// Sets the body, and replaces the fields of the line with the body's members.
    private func enter(
        _ body: Field?, _ buffer: UnsafeBufferPointer<UInt8>, _ result: inout SplitLine
    ) {
        result.fields.removeAll()
        result.json.body = body
        guard let body, body.form == .jsonValue, let base = buffer.baseAddress else { return }
        var scanner = unsafe JSONScanner(base, body.value, room: buffer.count)
        guard scanner.next == ASCII.openBrace else { return }
        scanner.forEachMember { result.fields.append($0) }
    }
}

extension JSONScanner {
    /// Calls `body` with each member of the object that starts at the scanner's offset. Stops at
    /// the first error.
    mutating func forEachMember(_ body: (Field) -> Void) {
        skip()
        skipSpace()
        while next == ASCII.quote {
            guard let key = key(), let value = value(depth: 1) else { return }
            body(Field(key, value))
            skipSpace()
            guard next == ASCII.comma else { return }
            skip()
            skipSpace()
        }
    }

    /// Calls `body` with each element of the array that starts at the scanner's offset, until
    /// `body` returns false.
    mutating func forEachElement(_ body: (Field) -> Bool) {
        skip()
        skipSpace()
        while next != ASCII.closeBracket {
            let key = Token(lower: offset, upper: offset)
            guard let value = value(depth: 1), body(Field(key, value)) else { return }
            skipSpace()
            guard next == ASCII.comma else { return }
            skip()
            skipSpace()
        }
    }

    /// Returns true if the member has this key.
    @inline(__always)
    func matches(_ field: Field, _ key: [UInt8]) -> Bool {
        guard !field.keyHasEscape else {
            return equalsUnescaped(Int(field.lower)..<Int(field.keyUpper), key)
        }
        let count = Int(field.keyUpper &- field.lower)
        guard count == key.count else { return false }
        return equals(Int(field.lower), key)
    }
}

extension SplitLine {
    /// Returns the member that holds an argument; nil if there is none.
    public func member(
        of argument: ArgumentSignature, _ syntax: JSONSyntax, in bytes: Span<UInt8>
    ) -> Field? {
        guard let path = syntax.path(of: argument) else {
            return argument.position == .correlation ? json.id : nil
        }
        return member(at: path, in: bytes, firstWins: syntax.firstWins)
    }

    /// Returns the value at a path in the body, or the body itself if the path is empty; nil if
    /// there is no such value.
    public func member(
        at path: JSONPath, in bytes: Span<UInt8>, firstWins: Bool = false
    ) -> Field? {
        guard let first = path.steps.first else { return json.body }
        var found: Field?
        if fields.isEmpty, let body = json.body {
            found = body.element(first, in: bytes)
        } else {
            found = field(key: first, in: bytes, firstWins: firstWins)
        }
        for step in path.steps.dropFirst() {
            found = found?.member(step, in: bytes, firstWins: firstWins)
        }
        return found
    }
}

extension Field {
    /// Returns true if the value can be a command: a string or a number.
    func isVerb(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard form == .jsonValue else { return form == .jsonString }
        let first = unsafe bytes[value.lowerBound]
        return ASCII.isDigit(first) || first == ASCII.minus
    }

    /// Returns the object member with the key `step`, or the array element with the index `step`;
    /// nil if there is none.
    func member(_ step: [UInt8], in bytes: Span<UInt8>, firstWins: Bool) -> Field? {
        guard form == .jsonValue else { return nil }
        guard bytes[value.lowerBound] == ASCII.openBrace else { return element(step, in: bytes) }
        var found: Field?
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var scanner = unsafe JSONScanner(base, value, room: buffer.count)
            scanner.forEachMember { field in
                guard field.hasKey(step, in: unsafe buffer.span) else { return }
                if !firstWins || found == nil { found = field }
            }
        }
        return found
    }

    /// Returns the array element with the index `step`; nil if there is none or if this field is
    /// not an array.
    func element(_ step: [UInt8], in bytes: Span<UInt8>) -> Field? {
        guard form == .jsonValue, let index = JSONPath.index(step),
            bytes[value.lowerBound] == ASCII.openBracket
        else { return nil }
        var found: Field?
        var count = 0
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var scanner = unsafe JSONScanner(base, value, room: buffer.count)
            scanner.forEachElement { field in
                if count == index { found = field }
                count += 1
                return found == nil
            }
        }
        return found
    }
}
