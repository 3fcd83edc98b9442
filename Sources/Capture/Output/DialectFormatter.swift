import LineProtocol

/// A formatter for messages in one dialect.
struct DialectFormatter {
    let commands: CommandTable
    let texts: CommandTexts
    let values: ValueWriter
    let schema: SchemaCheck

    init(
        _ dialect: Dialect, _ style: TextBuffer.Style, showsSecrets: Bool,
        _ anonymiser: Anonymiser?, look: LogStyle = LogStyle(isColoured: false)
    ) {
        commands = dialect.commands
        texts = CommandTexts(
            dialect, style, showsSecrets: showsSecrets, anonymises: anonymiser != nil, look: look)
        values = ValueWriter(
            style: style, signatures: dialect.commands.signatures, anonymiser: anonymiser)
        schema = SchemaCheck(dialect)
    }

    /// Appends the arguments of a message, each preceded by its name. Returns whether any was
    /// masked.
    ///
    /// - Parameter plain: A range of bytes that need no escaping; empty if unknown.
    @inline(__always)
    @discardableResult
    func appendArguments(
        of command: Int, _ message: Message, in bytes: Span<UInt8>, plain: Range<Int>,
        to buffer: inout TextBuffer
    ) -> Bool {
        let first = texts.firstArguments[command]
        let arguments = unsafe message.arguments.elements
        let hidesAll = texts.hidesAll(command, message)
        var isFirst = true
        var isMasked = false
        for index in 0..<arguments.count {
            let argument = unsafe arguments[index]
            if argument.isAbsent { continue }
            let known = texts.arguments[first &+ index]
            texts.append(known, isFirst: isFirst, to: &buffer)
            isFirst = false
            if hidesAll {
                values.appendMasked(argument, from: 0, message, in: bytes, to: &buffer)
                isMasked = true
            } else if known.isSecret,
                let start = texts.secretStart(first &+ index, index, in: message, bytes)
            {
                values.appendMasked(argument, from: start, message, in: bytes, to: &buffer)
                isMasked = true
            } else if values.isUnchanged(argument), let range = argument.bufferRange,
                plain.lowerBound <= range.lowerBound, range.upperBound <= plain.upperBound
            {
                buffer.append(quotedPlain: range, of: bytes)
            } else {
                values.append(argument, at: index, known.role, message, in: bytes, to: &buffer)
            }
        }
        return isMasked
    }

    /// Appends the value of an argument that is present. Secrets are masked.
    func appendValue(
        at index: Int, of command: Int, _ message: Message, in bytes: Span<UInt8>,
        to buffer: inout TextBuffer
    ) {
        let position = texts.firstArguments[command] + index
        let (known, argument) = (texts.arguments[position], message.arguments[index])
        if texts.hidesAll(command, message) {
            values.appendMasked(argument, from: 0, message, in: bytes, to: &buffer)
        } else if known.isSecret,
            let start = texts.secretStart(position, index, in: message, bytes)
        {
            values.appendMasked(argument, from: start, message, in: bytes, to: &buffer)
        } else {
            values.append(argument, at: index, known.role, message, in: bytes, to: &buffer)
        }
    }
}
