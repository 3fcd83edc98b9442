package import LineProtocol

/// Suggestions for adding unknown commands from a server to a dialect.
package enum CommandEntry {
    /// Maximum number of arguments to write.
    private static let argumentsMax = 16

    /// Returns a suggestion for how to describe the line's command in the dialect: an entry for
    /// `commands`, or advice if a similar command exists.
    package static func suggestion(for line: [UInt8], in dialect: Dialect) -> String {
        var split = SplitLine()
        LineSplitter(dialect, direction: .fromServer).split(line.span, 0..<line.count, into: &split)
        let verb = Array(line[split.verb])
        if verb.isEmpty {
            return dialect.syntax.fromServer.json == nil
                ? "the line has no command: check `fields`, or add a command with `verbless: true`"
                : "the line has no command: check `fields.json`"
        }
        return advice(verb, dialect)
            ?? "add to `commands`:  \(entry(verb, split, line, dialect))"
    }

    /// Returns advice if the dialect has a command with this wire name from clients, or with a wire
    /// name that differs only in case; otherwise nil.
    private static func advice(_ verb: [UInt8], _ dialect: Dialect) -> String? {
        for signature in dialect.commands.signatures {
            guard case .exact(let wire) = signature.wire else { continue }
            if wire == verb, !signature.direction.allows(.fromServer) {
                return "`\(signature.name)` is only declared `from: client`: change that to "
                    + "`from: both`, or add a command with the same `wire` and `from: server`"
            }
            if wire != verb, signature.direction.allows(.fromServer),
                wire.elementsEqual(verb, by: { lower($0) == lower($1) })
            {
                return "`\(signature.name)` differs only in case: correct its `wire`, or set "
                    + "`fields: {verb-case: insensitive}`"
            }
        }
        return nil
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    private static func entry(
        _ verb: [UInt8], _ split: SplitLine, _ line: [UInt8], _ dialect: Dialect
    ) -> String {
        var name = CommandGuess.name(of: verb)
        while dialect.commands.signatures.contains(where: { $0.name == name }) { name += "2" }
        var parts: [String] = []
        if !verb.elementsEqual(name.utf8) { parts.append("wire: \(YamlText.scalar(verb))") }
        parts.append("from: server")
        let arguments = arguments(split, line, dialect)
        if !arguments.isEmpty {
            parts.append("arguments: [\(arguments.joined(separator: ", "))]")
        }
        return "\(name): {\(parts.joined(separator: ", "))}"
    }

    private static func arguments(
        _ split: SplitLine, _ line: [UInt8], _ dialect: Dialect
    ) -> [String] {
        var known: Set<String> = []
        var arguments: [String] = []
        for field in split.fields where arguments.count < argumentsMax {
            let key = field.key.map { Array(line[$0]) }
            if let path = dialect.syntax.fromServer.json?.commandKey, key == path { continue }
            var name = "argument\(arguments.count + 1)"
            if let key {
                guard key.allSatisfy(isWordByte) else { continue }
                let text = String(decoding: key, as: UTF8.self)
                if isIdentifier(text) { name = text }
            }
            guard known.insert(name).inserted else { continue }
            arguments.append("\(name): \(type(field, line))\(position(field, name, key, dialect))")
        }
        return arguments
    }

    /// Returns true for bytes that keys can contain without being mistaken for a path.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte == 0x2D
    }

    /// Returns the position to write after the type; empty if it is the default.
    private static func position(
        _ field: Field, _ name: String, _ key: [UInt8]?, _ dialect: Dialect
    ) -> String {
        if field.form == .option { return " in option" }
        let text = key.map { String(decoding: $0, as: UTF8.self) }
        if let text, text != name { return " in key \(YamlText.scalar(text))" }
        guard dialect.syntax.fromServer.json == nil else { return "" }
        // `in field` and `in key` are allowed even where they are the default.
        guard dialect.syntax.fromServer.keyValue != nil else { return "" }
        return key == nil ? " in field" : " in key"
    }

    private static func type(_ field: Field, _ line: [UInt8]) -> String {
        if field.form == .option { return "bool" }
        let value = Array(line[field.value])
        if field.form == .jsonString { return "text" }
        let isWord = field.form == .jsonValue
        if isWord, ["true", "false"].contains(where: { value.elementsEqual($0.utf8) }) {
            return "bool"
        }
        if ValueConversion.value(value, .int) != nil { return "int" }
        if ValueConversion.value(value, .decimal) != nil { return "decimal" }
        return isWord ? "json" : "text"
    }
}

extension JSONSyntax {
    /// The key of the member that contains the command; nil if it is nested or has no fixed key.
    fileprivate var commandKey: [UInt8]? {
        guard case .key(let path) = form, path.steps.count == 1 else { return nil }
        return path.steps[0]
    }
}
