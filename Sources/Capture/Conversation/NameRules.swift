import LineProtocol

/// Which argument of which command tells what an operator is called: those that the dialect's `login` fills
/// with `{{name}}`.
struct NameRules: Sendable {
    /// One place of the name.
    private struct Rule {
        var command: Int
        var argument: Int
        /// What stands around the name in the argument.
        var prefix: [UInt8]
        var suffix: [UInt8]
        /// Arguments that have these texts.
        var fixed: [(place: Int, text: [UInt8])]
    }

    private var rules: [Rule] = []
    private var isConcerned: [Bool]
    /// Stands for the name while `login` is read.
    private static let token = Array("linejudge0name".utf8)

    init(_ dialect: Dialect) {
        isConcerned = Array(repeating: false, count: dialect.commands.signatures.count)
        let text = dialect.behaviours["login"]?.text ?? ""
        for line in text.split(separator: "\n") {
            let words = line.drop { $0 == " " }
            guard words.hasPrefix("->"), words.contains("{{name}}") else { continue }
            add(String(words.dropFirst(2).drop { $0 == " " }), dialect)
        }
        for rule in rules { isConcerned[rule.command] = true }
    }

    /// Whether the command may tell the name.
    @inline(__always)
    func concerns(_ command: Int) -> Bool { isConcerned[command] }

    private mutating func add(_ step: String, _ dialect: Dialect) {
        if let call = Self.call(step) {
            guard let command = dialect.commands.command(named: call.command, .fromClient),
                let argument = dialect.commands.signatures[command].arguments.firstIndex(where: {
                    $0.name == call.argument
                })
            else { return }
            rules.append(
                Rule(command: command, argument: argument, prefix: [], suffix: [], fixed: []))
            return
        }
        let wire = step.replacing("{{name}}", with: String(decoding: Self.token, as: UTF8.self))
        addWire(Array(wire.utf8), dialect)
    }

    /// `nick(nickname: {{name}}, …)`: the command and the first argument that is the name.
    private static func call(_ step: String) -> (command: String, argument: String)? {
        guard let open = step.firstIndex(of: "("), step.hasSuffix(")") else { return nil }
        let command = String(step[..<open])
        guard command.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }),
            let hole = step.firstRange(of: ": {{name}}")
        else { return nil }
        let before = step[step.index(after: open)..<hole.lowerBound]
        let name = before.split { $0 == "," || $0 == " " }.last.map(String.init)
        return name.map { (command, $0) }
    }

    private mutating func addWire(_ line: [UInt8], _ dialect: Dialect) {
        var message = Message()
        MessageDecoder(dialect).decode(line, from: .fromClient, into: &message)
        guard let command = message.command else { return }
        let signature = dialect.commands.signatures[command]
        var found: (place: Int, at: Int, text: [UInt8])?
        var fixed: [(place: Int, text: [UInt8])] = []
        for (place, argument) in message.arguments.enumerated() where !argument.isAbsent {
            let text = message.bytes(argument, in: line.span)
            if let at = Self.place(of: Self.token, in: text) {
                found = found ?? (place, at, text)
            } else if signature.arguments[place].place == .field,
                argument.kind == .text || argument.kind == .choice
            {
                fixed.append((place, text))
            }
        }
        guard let found else { return }
        rules.append(
            Rule(
                command: command, argument: found.place, prefix: Array(found.text[..<found.at]),
                suffix: Array(found.text[(found.at + Self.token.count)...]),
                // In a line with a prefix around the name, the prefix tells enough.
                fixed: found.at > 0 ? [] : fixed))
    }

    private static func place(of token: [UInt8], in text: [UInt8]) -> Int? {
        guard text.count >= token.count else { return nil }
        return (0...(text.count - token.count)).first { start in
            text[start..<(start + token.count)].elementsEqual(token)
        }
    }

    /// The name that the message tells, by a rule of at least this rank (0 is the first).
    func name(
        _ message: Message, in bytes: Span<UInt8>, unlessRankedAbove rank: Int
    ) -> (name: [UInt8], rank: Int)? {
        for (place, rule) in rules.enumerated() where place <= rank {
            guard rule.command == message.command,
                message.arguments.indices.contains(rule.argument),
                rule.fixed.allSatisfy({
                    message.bytes(message.arguments[$0.place], in: bytes) == $0.text
                })
            else { continue }
            let text = message.bytes(message.arguments[rule.argument], in: bytes)
            guard text.count > rule.prefix.count + rule.suffix.count,
                text.starts(with: rule.prefix), text.reversed().starts(with: rule.suffix.reversed())
            else { continue }
            return (
                Array(text[rule.prefix.count..<(text.count - rule.suffix.count)]), place
            )
        }
        return nil
    }
}
