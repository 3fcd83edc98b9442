import LineProtocol

/// What a dialect's lines are written with.
struct DialectWords {
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

    /// Appends the arguments that a message of this command has, each with its name.
    @inline(__always)
    func appendArguments(
        of command: Int, _ message: Message, in bytes: Span<UInt8>, to buffer: inout TextBuffer
    ) {
        let first = texts.firstArguments[command]
        let arguments = message.arguments
        var isFirst = true
        for place in 0..<arguments.count {
            let argument = arguments[place]
            if argument.isAbsent { continue }
            let known = texts.arguments[first &+ place]
            texts.append(known, isFirst: isFirst, to: &buffer)
            isFirst = false
            values.append(argument, at: place, known, message, in: bytes, to: &buffer)
        }
    }
}
