import LineProtocol

/// What a dialect's lines are written with.
struct DialectWords {
    let commands: CommandTable
    let texts: CommandTexts
    let values: ValueWriter
    let schema: SchemaCheck

    init(
        _ dialect: Dialect, _ style: TextBuffer.Style, showsSecrets: Bool,
        _ anonymiser: Anonymiser?, look: LogLook = LogLook(isColoured: false)
    ) {
        commands = dialect.commands
        texts = CommandTexts(
            dialect, style, showsSecrets: showsSecrets, anonymises: anonymiser != nil, look: look)
        values = ValueWriter(
            style: style, signatures: dialect.commands.signatures, anonymiser: anonymiser)
        schema = SchemaCheck(dialect)
    }
}
