import LineProtocol

extension SectionWriter {
    /// The behaviours: first the standard ones in their usual order, then the others by name.
    var behaviours: [String] {
        let names = dialect.behaviours.keys.sorted {
            let ranks = [$0, $1].map { StandardBehaviour.names.firstIndex(of: $0) ?? .max }
            return ranks[0] == ranks[1] ? $0 < $1 : ranks[0] < ranks[1]
        }
        return names.flatMap { name -> [String] in
            guard let behaviour = dialect.behaviours[name] else { return [] }
            let isStandard = StandardBehaviour.parameters(of: name) == behaviour.parameters
            let isPlain = isStandard || behaviour.parameters.isEmpty
            if isPlain, behaviour.needs.isEmpty {
                return ["\(name): |"] + YamlText.block(behaviour.scenarioText, indent: 2)
            }
            var lines = ["\(name):"]
            if !isPlain {
                lines.append("  parameters: [\(behaviour.parameters.joined(separator: ", "))]")
            }
            if !behaviour.needs.isEmpty {
                let needs = behaviour.needs.map { YamlText.scalar("\($0.kind) \($0.name)") }
                lines.append("  needs: [\(needs.joined(separator: ", "))]")
            }
            return lines + ["  steps: |"] + YamlText.block(behaviour.scenarioText, indent: 4)
        }
    }

    func patterns(_ patterns: [Behaviour]) -> [String] {
        patterns.flatMap { pattern -> [String] in
            var text = pattern.scenarioText
            while text.last == "\n" { text.removeLast() }
            let isNumbered = pattern.name.hasPrefix("reject-") || pattern.name.hasPrefix("ignore-")
            let start = "- " + (isNumbered ? "" : "\(pattern.name): ")
            let scalar = YamlText.scalar(text)
            // Errors must be able to point into the text, so it must not contain escapes.
            let hasEscapes = scalar.hasPrefix("'") && text.contains("'")
            return hasEscapes ? [start + "|"] + YamlText.block(text, indent: 4) : [start + scalar]
        }
    }

    var offers: [String] {
        dialect.offers.sorted { $0.key < $1.key }.map { kind, offer in
            switch offer {
            case .listed(let command, let argument):
                "\(kind): {command: \(command), argument: \(argument)}"
            case .unlessRefused(let refusal, let argument):
                "\(kind): {refusal: \(refusal), argument: \(argument)}"
            case .letters(let names):
                "\(kind): {letters-of: [\(names.map { YamlText.scalar($0.description) }.joined(separator: ", "))]}"
            }
        }
    }

    var timing: [String] {
        let timing = dialect.timing
        let values = [
            ("keepalive", timing.keepaliveInterval), ("expires-after", timing.expiresAfter),
            ("login-within", timing.loginWithin), ("throttle-max", timing.throttleMax),
        ]
        return values.compactMap { name, value in value.map { "\(name): \(Durations.text($0))" } }
    }

    var clauses: [String] {
        dialect.clauses.flatMap { clause -> [String] in
            var lines = ["\(clause.id):", "  document: \(YamlText.scalar(clause.document))"]
            if !clause.section.isEmpty {
                lines.append("  section: \(YamlText.quoted(clause.section))")
            }
            if !clause.quote.isEmpty { lines.append("  quote: \(YamlText.scalar(clause.quote))") }
            if clause.level != RequirementLevel(quote: clause.quote) ?? .policy {
                lines.append("  level: \(clause.level.rawValue)")
            }
            if !clause.rules.isEmpty {
                lines.append("  for: [\(clause.rules.joined(separator: ", "))]")
            }
            return lines
        }
    }

    var knownFailures: [String] {
        dialect.knownFailures.flatMap { failure -> [String] in
            var lines = ["- check: \(YamlText.scalar(failure.check))"]
            if let versions = failure.versions {
                lines.append("  versions: \(YamlText.quoted(versions))")
            }
            if let until = failure.until { lines.append("  until: \(until)") }
            lines.append("  reason: \(YamlText.scalar(failure.reason))")
            return lines
        }
    }
}

/// Writer for the entries of a dialect's `commands:` section.
struct SignatureWriter {
    private let dialect: Dialect

    init(_ dialect: Dialect) { self.dialect = dialect }

    func lines(_ command: CommandSignature) -> [String] {
        var lines = ["\(command.name):"]
        switch command.wire {
        case .exact(let bytes):
            if !bytes.elementsEqual(command.name.utf8) {
                lines.append("  wire: \(YamlText.scalar(bytes))")
            }
        case .digits(let count): lines.append("  digits: \(count.map(String.init) ?? "any")")
        case .prefix(let bytes): lines.append("  prefix: \(YamlText.scalar(bytes))")
        case .none: lines.append("  verbless: true")
        case .prompted:
            let prompts = names(of: dialect.framing.linePrompts, besides: command)
            lines.append("  line-after: [\(prompts.joined(separator: ", "))]")
        }
        lines.append("  from: \(command.direction.word)")
        if !command.summary.isEmpty {
            lines.append("  summary: \(YamlText.scalar(command.summary))")
        }
        if !command.arguments.isEmpty {
            lines.append("  arguments:")
            lines += command.arguments.map { "    - \(argument($0, of: command))" }
        }
        if let after = triggers(command) {
            lines.append("  block-after: [\(after.joined(separator: ", "))]")
        }
        if let tolerance = command.tolerance {
            let parts = SectionWriter(dialect).tolerance(tolerance, "commands.\(command.name)")
            lines.append("  tolerance: {\(parts.joined(separator: ", "))}")
        }
        if let clause = command.clause { lines.append("  clause: \(clause)") }
        return lines
    }

    /// Returns an argument in the compact form.
    private func argument(_ argument: ArgumentSignature, of command: CommandSignature) -> String {
        let condition =
            switch argument.secretCondition {
            case .contains(let bytes, let other)?:
                "if \(other) has \(String(decoding: bytes, as: UTF8.self)) "
            case .isForServices(let other)?: "to \(other) "
            case .isSASLData?: "sasl "
            case .isServicesMessage?: "services "
            case nil: ""
            }
        let secret = argument.isSecret ? "secret " + condition : ""
        var text = secret + argument.type.declaration
        if argument.presence == .optional { text += "?" }
        if argument.presence == .variadic { text += "..." }
        if let value = argument.defaultValue { text += " = \(self.value(value, argument.type))" }
        if let position = position(argument, of: command) { text += " in \(position)" }
        let isPlain = !text.contains("#") && !text.contains("\"") && !text.contains(": ")
        return "\(argument.name): \(isPlain ? text : YamlText.quoted(text))"
    }

    private func value(_ value: ArgumentValue, _ type: ArgumentType) -> String {
        if case .bool(let flag) = value { return String(flag) }
        let text = String(decoding: ValueConversion.bytes(value, type) ?? [], as: UTF8.self)
        let isWord = !text.isEmpty && !text.contains(" ") && !text.contains("\"")
        return isWord ? text : ValueText.quoted(Array(text.utf8))
    }

    private func position(_ argument: ArgumentSignature, of command: CommandSignature) -> String? {
        func named(_ word: String, _ key: [UInt8]) -> String {
            let name = String(decoding: key, as: UTF8.self)
            return name == argument.name ? word : "\(word) \(name)"
        }
        switch argument.position {
        case .field: return nil
        case .key(let key): return named("key", key)
        case .option(let key): return named("option", key)
        case .tag(let key): return named("tag", key)
        case .source: return "source"
        case .verb: return "verb"
        case .correlation: return "correlation"
        case .payloadLength: return "payload-length"
        case .payload where command.wire == .prompted: return nil
        case .payload:
            return blockRule(command) == nil ? "payload" : "block"
        }
    }

    private func blockRule(_ command: CommandSignature) -> Framing.BlockRule? {
        dialect.framing.blocks.first {
            $0.verb == command.wire.blockVerb && $0.direction == command.direction
        }
    }

    /// Returns the names of the commands that trigger the command's block, with their conditions;
    /// nil if the command has no block, or if its block always follows.
    private func triggers(_ command: CommandSignature) -> [String]? {
        blockRule(command)?.after.map { names(of: $0, besides: command) }
    }

    /// Returns the names of the commands of the side that does not send `command`, with the
    /// conditions of the triggers.
    private func names(
        of triggers: [Framing.BlockTrigger], besides command: CommandSignature
    ) -> [String] {
        triggers.map { trigger in
            let name = dialect.commands.signatures.first {
                $0.wire == .exact(trigger.verb) && $0.direction != command.direction
            }?.name
            let condition = trigger.withoutArguments ? BlockAfterReader.condition : ""
            return (name ?? "") + condition
        }
    }
}

extension CommandDirection {
    /// The keyword for this value in dialect files.
    var word: String {
        switch self {
        case .client: "client"
        case .server: "server"
        case .both: "both"
        }
    }
}

extension ArgumentType {
    /// The type as written in dialect files.
    var declaration: String {
        switch self {
        case .bool(let spelling) where spelling == .digits: "bool"
        case .bool(let spelling):
            "bool as "
                + [spelling.yes, spelling.no].map { words in
                    words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
                }.joined(separator: "/")
        case .list(let element, let separator):
            "list of \(element.declaration)"
                + (separator == 0x2C ? "" : " by \(ByteName.bare(separator))")
        case .time(.unixSeconds): "time"
        case .time(let format): "time as \(TimeFormatName.name(format))"
        case .choice(let words): "one of \(words.joined(separator: "|"))"
        default: name
        }
    }
}
