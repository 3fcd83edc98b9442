package import LineProtocol

/// An extractor for the login names in clients' lines. A login name is the value of `{{name}}` in
/// the dialect's `login` behaviour.
package struct LoginNames: Sendable {
    /// An argument of a login line that holds the name.
    private struct Rule {
        var command: Int
        var argument: Int
        /// The literal directly before the name in that argument.
        var prefix: [UInt8] = []
        /// The literal directly after the name.
        var suffix: [UInt8] = []
        /// Other arguments that must have the given values.
        var fixed: [(index: Int, value: [UInt8])] = []
    }

    private var rules: [Rule]
    private var isConcerned: [Bool]
    private let decoder: MessageDecoder

    package init(_ dialect: BoundDialect) {
        let signatures = dialect.dialect.commands.signatures
        rules =
            dialect["login"]?.sentLines.compactMap { Self.rule($0, signatures[$0.command]) } ?? []
        isConcerned = Array(repeating: false, count: signatures.count)
        for rule in rules { isConcerned[rule.command] = true }
        decoder = MessageDecoder(dialect.dialect)
    }

    private static func rule(_ line: LineShape, _ signature: CommandSignature) -> Rule? {
        for variable in ["name", "self"] {
            guard let index = line.argument(holding: variable), let pieces = line.arguments[index],
                let position = pieces.firstIndex(of: .variable(variable))
            else { continue }
            var rule = Rule(command: line.command, argument: index)
            rule.prefix = literals(pieces[..<position])
            rule.suffix = literals(pieces[(position + 1)...])
            // A prefix is specific enough to identify the line. Without one, wire text is
            // identified by its constant arguments.
            if rule.prefix.isEmpty, !line.isTyped { rule.fixed = fixed(line, signature) }
            return rule
        }
        return nil
    }

    private static func literals(_ pieces: ArraySlice<LineShape.Piece>) -> [UInt8] {
        pieces.flatMap { piece -> [UInt8] in
            if case .literal(let bytes) = piece { bytes } else { [] }
        }
    }

    private static func fixed(
        _ line: LineShape, _ signature: CommandSignature
    ) -> [(index: Int, value: [UInt8])] {
        line.arguments.enumerated().compactMap { index, pieces in
            let argument = signature.arguments[index]
            guard argument.position == .field, argument.type.isText, let pieces, pieces.count == 1,
                case .literal(let value) = pieces[0]
            else { return nil }
            return (index, value)
        }
    }

    /// Returns true if messages with this command may hold the name.
    @inline(__always)
    package func concerns(_ command: Int) -> Bool { isConcerned[command] }

    /// Returns the index of the command's argument that holds the name; nil if none does.
    package func argument(of command: Int) -> Int? {
        rules.first { $0.command == command }?.argument
    }

    /// Returns the name in a client's message and the rank of the rule that matched; nil if no rule
    /// matches. The rule for the first login line that contains the name has rank 0. Rules ranked
    /// above `rank` are ignored.
    package func name(
        _ message: Message, in bytes: Span<UInt8>, unlessRankedAbove rank: Int = .max
    ) -> (name: [UInt8], rank: Int)? {
        for (index, rule) in rules.enumerated() where index <= rank {
            guard rule.command == message.command,
                message.arguments.indices.contains(rule.argument),
                rule.fixed.allSatisfy({
                    message.bytes(message.arguments[$0.index], in: bytes) == $0.value
                })
            else { continue }
            let text = message.bytes(message.arguments[rule.argument], in: bytes)
            guard text.count > rule.prefix.count + rule.suffix.count,
                text.starts(with: rule.prefix), text.reversed().starts(with: rule.suffix.reversed())
            else { continue }
            return (Array(text[rule.prefix.count..<(text.count - rule.suffix.count)]), index)
        }
        return nil
    }

    /// Returns the name in a client's line; nil if the line does not hold it.
    package func name(inLine line: [UInt8]) -> [UInt8]? {
        var message = Message()
        decoder.decode(line, from: .fromClient, into: &message)
        guard let command = message.command, concerns(command) else { return nil }
        return name(message, in: line.span)?.name
    }
}

extension ArgumentType {
    fileprivate var isText: Bool {
        switch self {
        case .text, .choice: true
        default: false
        }
    }
}
