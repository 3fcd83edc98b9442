package import Diagnostics
package import LineProtocol
package import Scenario

/// A dialect whose behaviours have been parsed. No other type interprets behaviours.
///
/// A bound dialect is created once and shared by all code that uses the dialect. Errors in the
/// dialect's scenario text are found when it is created.
package final class BoundDialect: Sendable {
    /// The dialect itself: framing, fields, escaping, commands and policies.
    package let dialect: Dialect
    /// The dialect file that the ranges of behaviours refer to.
    package let source: SourceText
    package let behaviours: [String: BoundBehaviour]
    /// The dialect's patterns for refusals.
    package let rejects: [Pattern]
    /// The dialect's patterns for unsolicited lines, which expectations skip.
    package let ignores: [Pattern]
    /// The errors in the dialect's scenario text, in file order.
    package let diagnostics: [Diagnostic]
    /// The variables that behaviours send in the dialect's secret arguments, such as `password`.
    package let secretVariables: Set<String>
    /// True for a built-in dialect, which can be found by name from any folder.
    package let isBuiltIn: Bool

    /// Parses a dialect's scenario text. Errors are collected in ``diagnostics``. If a behaviour
    /// has errors, the steps that could be parsed are kept.
    package init(_ dialect: Dialect, source: SourceText, isBuiltIn: Bool = false) {
        self.dialect = dialect
        self.isBuiltIn = isBuiltIn
        self.source = source
        var reader = BehaviourTextReader(dialect, source)
        behaviours = dialect.behaviours.mapValues { reader.behaviour($0) }
        rejects = dialect.rejects.compactMap { reader.pattern($0) }
        ignores = dialect.ignores.compactMap { reader.pattern($0) }
        secretVariables = Self.secretVariables(behaviours, dialect)
        let found = reader.diagnostics
        // Behaviours with syntax errors cannot be compiled.
        diagnostics =
            found.hasErrors
            ? found
            : BehaviourCompiler(dialect, source).diagnostics(behaviours, rejects + ignores)
    }

    private init(_ other: BoundDialect, behaviours: [String: BoundBehaviour]) {
        dialect = other.dialect
        source = other.source
        rejects = other.rejects
        ignores = other.ignores
        diagnostics = other.diagnostics
        isBuiltIn = other.isBuiltIn
        secretVariables = other.secretVariables
        self.behaviours = behaviours
    }

    /// Returns the dialect for sessions with these variables. If they include `password`, the steps
    /// of the `password` behaviour are inserted before the behaviours that log in.
    package func given(_ variables: Set<String>) -> BoundDialect {
        guard variables.contains("password"), let password = behaviours["password"] else {
            return self
        }
        var behaviours = behaviours
        behaviours["password"] = nil
        for name in ["login", "survey"] {
            guard let login = behaviours[name] else { continue }
            behaviours[name] = BoundBehaviour(
                name, parameters: login.parameters, steps: password.steps + login.steps, dialect,
                MessageDecoder(dialect))
        }
        return BoundDialect(self, behaviours: behaviours)
    }

    /// Returns the dialect with another behaviour, which consists of steps from its own behaviours.
    /// Failures of these steps still point to their lines in the dialect file.
    package func adding(
        _ name: String, parameters: [String] = [], steps: [Step]
    ) -> BoundDialect {
        var behaviours = behaviours
        behaviours[name] = BoundBehaviour(
            name, parameters: parameters, steps: steps, dialect, MessageDecoder(dialect))
        return BoundDialect(self, behaviours: behaviours)
    }

    /// Returns the dialect, or throws the errors that were found in it.
    package func checked() throws(Diagnosed) -> BoundDialect {
        if diagnostics.hasErrors { throw Diagnosed(diagnostics) }
        return self
    }

    /// The behaviour with this name; nil if there is none.
    package subscript(name: String) -> BoundBehaviour? { behaviours[name] }

    /// Returns true if one of the named behaviours sends the command, either in a step or as a
    /// standing reply.
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

    /// Returns the wire name of a message's command; nil if there is none or if it contains a
    /// placeholder.
    package func verb(of message: StepMessage) -> [UInt8]? {
        switch message {
        case .wire(let template, _): verb(template, .fromClient)
        case .typed(let call): verb(call, .fromClient)
        case .raw: nil
        }
    }

    /// Returns the wire name of an expected line's command; nil if there is none or if it contains
    /// a placeholder.
    package func verb(of pattern: Pattern) -> [UInt8]? {
        switch pattern {
        case .wire(let template, _): verb(template, .fromServer)
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

    private func verb(_ template: Template, _ direction: Direction) -> [UInt8]? {
        if let json = dialect.syntax[direction].json {
            return (try? JSONTemplate(template))?.verb(json)
        }
        let marker: UInt8 = 0x01
        let line = template.pieces.flatMap { piece -> [UInt8] in
            if case .literal(let literal) = piece { literal.bytes } else { [marker] }
        }
        var split = SplitLine()
        LineSplitter(dialect, direction: direction).split(line.span, 0..<line.count, into: &split)
        let verb = Array(line[split.verb])
        return verb.isEmpty || verb.contains(marker) ? nil : verb
    }
}
