import LineProtocol
import Results
import Scenario

/// The `arity.few` rule, in which each command is sent with required arguments missing.
enum ArityFew: CheckFamily {
    static let ruleID = "arity.few"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.hasVerbs else {
            return notApplicable("the dialect's lines have no arguments to omit")
        }
        let checks = subject.clientCommands.compactMap { signature, verb -> CatalogueEntry? in
            let required = SampleArgument.required(signature)
            guard !required.isEmpty else { return nil }
            return .check(check(signature, verb, required, subject))
        }
        guard !checks.isEmpty else {
            return notApplicable("no client command has a required argument")
        }
        return checks + [ArityFewState.check(subject)].compactMap { $0.map { .check($0) } }
    }

    private static func check(
        _ signature: CommandSignature, _ verb: [UInt8], _ required: [ArgumentSignature],
        _ subject: Subject
    ) -> Check {
        let tolerance = subject.tolerance(signature).tooFew
        let name = String(decoding: verb, as: UTF8.self)
        let words = self.words(tolerance)
        return Check(
            CheckID(ruleID, name), "\(name) with too few arguments \(words.claim)",
            setting: "tolerance.too-few", says: words.word, in: subject
        ) { maker in
            let reaction = reaction(tolerance)
            var script = maker.script(
                required.count == 1
                    ? "without arguments" : "with 0 to \(required.count - 1) arguments")
            script.barrier("alice", role: .control)
            for count in required.indices {
                let line = SampleArgument.line(verb, required.prefix(count), subject)
                script.send(
                    .stimulus, line, by: "alice",
                    requires: reaction.expected(by: "alice", in: script))
                script.step(.question, .sync("alice"))
            }
            script.barrier("alice")
            return [script.made(.any) { reaction.judge(&$0) }]
        }
    }

    private static func reaction(_ tolerance: Tolerance.TooFew) -> Reaction {
        switch tolerance {
        case .reject: .refusal
        case .fill: .tolerance
        case .open: .open
        }
    }

    private static func words(_ tolerance: Tolerance.TooFew) -> (word: String, claim: String) {
        switch tolerance {
        case .reject: ("reject", "is refused")
        case .fill: ("fill", "is executed as if the missing ones were empty, or is refused")
        case .open: ("?", "does not close the connection silently")
        }
    }
}

/// Sample values for arguments.
enum SampleArgument {
    /// Returns the required arguments that appear in the line, in order.
    static func required(_ signature: CommandSignature) -> [ArgumentSignature] {
        signature.arguments.filter { argument in
            guard argument.isRequired else { return false }
            switch argument.position {
            case .field, .key, .correlation, .payloadLength: return true
            default: return false
            }
        }
    }

    /// Returns a line with the given arguments. If `given` returns nil for an argument, a sample
    /// value of its type is used.
    static func line(
        _ verb: [UInt8], _ arguments: some Sequence<ArgumentSignature>, _ subject: Subject,
        given: (ArgumentSignature) -> [UInt8]? = { _ in nil }
    ) -> [UInt8] {
        let syntax = subject.dialect.syntax.fromClient
        if syntax.json != nil {
            return subject.object(
                verb,
                arguments.map { argument in
                    (
                        argument,
                        JSONSample.text(given(argument) ?? value(argument.type), argument.type)
                    )
                })
        }
        var line = verb
        for argument in arguments {
            subject.appendSeparator(to: &line, after: verb)
            if case .key(let key) = argument.position, let keys = syntax.keyValue {
                line += key + [keys.assignment]
            }
            line += given(argument) ?? value(argument.type)
        }
        return line + subject.terminator
    }

    /// Returns a sample value of a type, as input for the encoder.
    static func typed(_ type: ArgumentType) -> ArgumentValue {
        switch type {
        case .int: .int(1)
        case .bool: .bool(true)
        case .decimal: .decimal(Decimal64(unscaled: 15, scale: 1))
        case .time: .time(0)
        case .choice: .choice(0)
        case .list(let element, _): .list([typed(element)])
        case .text: .text(value(type))
        case .bytes: .bytes(value(type))
        case .json: .json(value(type))
        case .xml: .xml(value(type))
        }
    }

    /// Returns a sample value of a type. Sample values never need escaping.
    static func value(_ type: ArgumentType) -> [UInt8] {
        switch type {
        case .time(.rfc3339): Array("2026-01-01T00:00:00Z".utf8)
        case .int, .time: Array("1".utf8)
        case .decimal: Array("1.5".utf8)
        case .bool(let spelling): spelling.yes.first ?? Array("1".utf8)
        case .text, .bytes: Array("x".utf8)
        case .list(let element, _): value(element)
        case .choice(let words): Array((words.first ?? "x").utf8)
        case .json: Array("{}".utf8)
        case .xml: Array("<x/>".utf8)
        }
    }
}
