package import Diagnostics
package import LineProtocol
package import Scenario

/// A dialect with its behaviours parsed: the one place that knows what they mean.
///
/// It is made once for each dialect and shared by every command. All that is wrong with the scenario
/// text in the dialect is found when it is made.
package final class BoundDialect: Sendable {
    /// The dialect: framing, fields, escaping, commands, policies.
    package let dialect: Dialect
    /// The dialect's file, which the ranges of behaviours point into.
    package let source: SourceText
    /// The behaviours by name.
    package let behaviours: [String: BoundBehaviour]
    /// Patterns of lines that refuse something.
    package let rejects: [Pattern]
    /// Patterns of unsolicited lines, which expectations skip.
    package let ignores: [Pattern]
    /// Everything wrong with the scenario text in the dialect, in the order of the file.
    package let diagnostics: [Diagnostic]
    /// Whether it comes with this program, so that its name finds it from any folder.
    package let isBuiltIn: Bool

    /// Parses the scenario text in a dialect. What is wrong is in ``diagnostics``; a behaviour with an
    /// error keeps the steps that could be read.
    package init(_ dialect: Dialect, source: SourceText, isBuiltIn: Bool = false) {
        self.dialect = dialect
        self.isBuiltIn = isBuiltIn
        self.source = source
        var reader = BehaviourTextReader(dialect, source)
        behaviours = dialect.behaviours.mapValues { reader.behaviour($0) }
        rejects = dialect.rejects.compactMap { reader.pattern($0) }
        ignores = dialect.ignores.compactMap { reader.pattern($0) }
        let found = reader.diagnostics
        // What cannot be parsed cannot be compiled.
        diagnostics =
            found.hasErrors
            ? found
            : BehaviourCompiler(dialect, source).diagnostics(behaviours, rejects + ignores)
    }

    /// Itself, or the errors that keep it from being used.
    package func checked() throws(Diagnosed) -> BoundDialect {
        if diagnostics.hasErrors { throw Diagnosed(diagnostics) }
        return self
    }

    /// The behaviour of this name; nil if the dialect lacks it.
    package subscript(name: String) -> BoundBehaviour? { behaviours[name] }

    /// Whether one of the named behaviours sends the command, by itself or in a standing reply.
    package func sends(_ command: CommandSignature, in names: [String]) -> Bool {
        names.compactMap { behaviours[$0] }.contains { behaviour in
            (behaviour.sentLines + behaviour.replies).contains {
                isSame(dialect.commands.signatures[$0.command], command)
            }
        }
    }

    private func isSame(_ one: CommandSignature, _ other: CommandSignature) -> Bool {
        one.name == other.name || (one.wire == other.wire && one.wire != .none)
    }

    /// The command of a line on the wire; nil if a placeholder or nothing stands there.
    package func verb(of message: Scenario.Message) -> [UInt8]? {
        switch message {
        case .wire(let template, _): verb(template)
        case .typed(let call): verb(call, .fromClient)
        case .raw: nil
        }
    }

    /// The same of a line that a server is expected to send.
    package func verb(of pattern: Pattern) -> [UInt8]? {
        switch pattern {
        case .wire(let template, _): verb(template)
        case .typed(let call): verb(call, .fromServer)
        case .raw: nil
        }
    }

    private func verb(_ call: TypedCall, _ direction: Direction) -> [UInt8]? {
        guard let command = dialect.commands.command(named: call.name.text, direction),
            case .exact(let verb) = dialect.commands.signatures[command].wire
        else { return nil }
        return verb
    }

    private func verb(_ template: Template) -> [UInt8]? {
        let mark: UInt8 = 0x01
        let line = template.pieces.flatMap { piece -> [UInt8] in
            if case .literal(let literal) = piece { literal.bytes } else { [mark] }
        }
        var split = SplitLine()
        LineSplitter(dialect).split(line.span, 0..<line.count, into: &split)
        let verb = Array(line[split.verb])
        return verb.isEmpty || verb.contains(mark) ? nil : verb
    }
}
