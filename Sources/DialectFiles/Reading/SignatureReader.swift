import Diagnostics
import LineProtocol

/// A command from a dialect file, along with the positions needed to report problems with it.
struct ParsedCommand {
    var signature: CommandSignature
    var arguments: [ParsedArgument]
    /// Source range of the wire name: the value of `wire` or, without that key, the command's name.
    var wireRange: SourceRange
    /// The value of `block-after`; nil without that key.
    var blockAfter: Setting?
    /// The value of `line-after`; nil without that key.
    var lineAfter: Setting?
    var setting: Setting
}

/// Reader for an entry of a dialect's `commands:` section.
struct SignatureReader {
    private typealias Keys = CommandKeys

    /// Readers for the arguments of commands, by sender.
    let arguments: PerDirection<ArgumentReader>
    let framing: Framing
    let clauses: [Clause]
    let problems: Problems

    func command(_ setting: Setting) -> ParsedCommand? {
        guard isIdentifier(setting.name) else {
            problems.error(
                .badName, "`\(shortened(setting.name))` is not a valid command name",
                at: setting.key,
                help: "use a word as the name, and put the command's bytes in `wire:`")
            return nil
        }
        guard let section = setting.section(Keys.table) else { return nil }
        let from = section.required(Keys.from)
        let readers = readers(from ?? .both, section[Keys.from])
        let (wire, wireRange) = wire(section, setting, readers.map(\.syntax))
        let lists = readers.map { argumentList(section[Keys.arguments], $0) }
        var list = lists[0]
        if wire == .prompted {
            // The whole line is the argument.
            for index in list.indices { list[index].signature.position = .payload }
        }
        var signature = CommandSignature(
            name: setting.name, wire: wire, direction: from ?? .both,
            arguments: list.map(\.signature))
        signature.summary = section.value(Keys.summary)
        if let tolerance = section[Keys.tolerance] {
            let rules = ToleranceReader.tolerance(tolerance)
            signature.tolerance = rules
            if readers.contains(where: { $0.syntax.json != nil }) {
                JSONChecks(problems: problems).check(tolerance, rules)
            }
        }
        if let clause = section[Keys.clause], let id = clause.text(bytesMax: 64) {
            signature.clause = id
            check(clause: id, clause)
        }
        let command = ParsedCommand(
            signature: signature, arguments: list, wireRange: wireRange,
            blockAfter: section[Keys.blockAfter], lineAfter: section[Keys.lineAfter],
            setting: setting)
        for reader in readers { CommandChecks(command, reader.syntax, framing, problems).run() }
        return from == nil ? nil : command
    }

    /// Returns the readers for the arguments of a command: one or, if both sides send it and their
    /// lines have different fields, one for each side.
    private func readers(_ from: CommandDirection, _ setting: Setting?) -> [ArgumentReader] {
        let (client, server) = (arguments.fromClient, arguments.fromServer)
        switch from {
        case .client: return [client]
        case .server: return [server]
        case .both: break
        }
        if client.syntax == server.syntax { return [client] }
        if let setting,
            (client.syntax.json == nil) != (server.syntax.json == nil)
                || client.argumentsAreKeyed != server.argumentsAreKeyed
                || (client.syntax.verb == .none) != (server.syntax.verb == .none)
        {
            problems.error(
                .conflict, "the two sides write the arguments of a command differently",
                at: setting.value.range,
                help: "declare a command for each side, with the same `wire`")
        }
        return [client, server]
    }

    private func check(clause id: String, _ setting: Setting) {
        guard !clauses.contains(where: { $0.id == id }) else { return }
        let suggestion = didYouMean(id, among: clauses.map(\.id)).map { "did you mean `\($0)`?" }
        problems.error(
            .unknownClause, "no clause with id `\(shortened(id))`", at: setting.value.range,
            help: suggestion ?? "add it under `clauses:`")
    }

    private func wire(
        _ section: Section, _ setting: Setting, _ syntaxes: [FieldSyntax]
    ) -> (WireName, SourceRange) {
        let kinds = section.present(
            [Keys.wire, Keys.digits, Keys.prefix, Keys.verbless, Keys.lineAfter].map(\.name))
        if kinds.count > 1, let second = section[kinds[1]] {
            problems.error(
                .conflict, "`\(kinds[0])` and `\(kinds[1])` cannot be combined",
                at: second.key, help: "keep one of them")
        }
        guard let kind = kinds.first, let value = section[kind] else {
            if syntaxes[0].verb == .none { return (.none, setting.key) }
            return (.exact(Array(setting.name.utf8)), setting.key)
        }
        let range = value.value.range
        switch kind {
        case Keys.digits.name:
            if case .scalar("any", _) = value.value.kind { return (.digits(nil), range) }
            return (.digits(value.number(in: 1...9) ?? 3), range)
        case Keys.verbless.name:
            if value.flag() == false {
                problems.error(
                    .conflict, "`verbless` must be `true` or omitted", at: range)
            }
            return (.none, range)
        case Keys.lineAfter.name: return (.prompted, value.key)
        case Keys.prefix.name: return (.prefix(wireBytes(value, syntaxes, isWhole: false)), range)
        default: return (.exact(wireBytes(value, syntaxes, isWhole: true)), range)
        }
    }

    /// Returns the bytes of a wire name. Reports an error if they would not parse as a single
    /// field.
    private func wireBytes(
        _ setting: Setting, _ syntaxes: [FieldSyntax], isWhole: Bool
    ) -> [UInt8] {
        guard let text = setting.text(bytesMax: Keys.wireBytesMax) else { return [] }
        let bytes = Array(text.utf8)
        let reasons = syntaxes.compactMap { reason(against: bytes, $0, isWhole: isWhole) }
        if let reason = reasons.first {
            problems.error(
                .badWire, "`\(shortened(text))` cannot be a command: \(reason)",
                at: setting.value.range)
        }
        return bytes
    }

    /// Returns the reason why bytes cannot be a wire name or its prefix; nil if they can.
    private func reason(
        against bytes: [UInt8], _ syntax: FieldSyntax, isWhole: Bool
    ) -> String? {
        guard let first = bytes.first else { return "it is empty" }
        if syntax.json != nil { return nil }
        if case .bytes(let count) = syntax.verb {
            let fits = isWhole ? bytes.count == count : bytes.count <= count
            return fits ? nil : "with `fields.verb`, commands are \(counted(count, "byte")) long"
        }
        if let byte = bytes.first(where: { syntax.separators.contains($0) || $0 < 0x20 }) {
            return "\(ByteName.shown(byte)) would end the command"
        }
        if [syntax.sourceMarker, syntax.tags?.marker].contains(first) {
            return "a command cannot start with \(ByteName.shown(first))"
        }
        return syntax.verb == .none ? "with `fields.verb: none`, lines have no command" : nil
    }

    private func argumentList(
        _ setting: Setting?, _ reader: ArgumentReader
    ) -> [ParsedArgument] {
        guard let setting else { return [] }
        if case .map = setting.value.kind {
            problems.error(
                .wrongType, "`\(setting.path)` must be a list, because the order matters",
                at: setting.value.range,
                help: "write `[name: text, count: int]`, or one entry per line, starting with `- `")
            return []
        }
        let list = setting.list(max: Keys.argumentsMax) ?? []
        return list.compactMap(reader.argument)
    }
}

/// Reader for a `tolerance:` section.
enum ToleranceReader {
    static func tolerance(_ setting: Setting?) -> Tolerance {
        guard let section = setting?.section(ToleranceKeys.table) else { return Tolerance() }
        return Tolerance(
            tooFew: section.value(ToleranceKeys.tooFew),
            tooMany: section.value(ToleranceKeys.tooMany),
            mismatch: section.value(ToleranceKeys.mismatch))
    }
}
