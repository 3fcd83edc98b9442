package import Diagnostics
import LineProtocol
package import Scenario

/// A classifier for server lines in transcripts, recordings and captures. It uses the dialect's own
/// patterns to identify refusals, unsolicited lines, answers to probes, and lines that deliver a
/// message.
package struct LineClassifier {
    private var matcher: LineMatcher
    private var context: MatchContext
    private let rejects: [LinePattern]
    private let ignores: [LinePattern]
    private let probeAnswers: [LinePattern]
    private let nameVariable: Int
    /// Whether the patterns for refusals match a command on the wire, for up to ``verbsMax``
    /// commands.
    private var refusalVerbs: [[UInt8]: Bool] = [:]
    private static let verbsMax = 256
    private var texts: [String: TextPattern] = [:]

    /// The pattern for a behaviour's line that contains `{{text}}`.
    private struct TextPattern {
        var pattern: LinePattern
        /// Variables for the behaviour's other parameters, by parameter name.
        var given: [String: Int]
        var text: Int
    }

    /// Creates a classifier, or throws the errors in the dialect's patterns.
    ///
    /// - Parameter behaviours: the behaviours whose lines contain a `{{text}}` to extract.
    package init(
        _ dialect: BoundDialect, behaviours: [String] = ["heard", "arrival"]
    ) throws(Diagnosed) {
        var compiler = PatternCompiler(dialect.dialect)
        nameVariable = compiler.nameVariable
        rejects = compiler.patterns(dialect.rejects, in: dialect.source)
        ignores = compiler.patterns(dialect.ignores, in: dialect.source)
        let probe = dialect["probe"].flatMap { $0.awaits(variable: "token") ? nil : $0 }
        probeAnswers = compiler.patterns(probe?.awaits ?? [], in: dialect.source)
        for name in behaviours {
            texts[name] = Self.textPattern(dialect[name], dialect.source, &compiler)
        }
        let diagnostics = dialect.diagnostics + compiler.diagnostics
        if diagnostics.hasErrors { throw Diagnosed(diagnostics.inFileOrder) }
        matcher = LineMatcher(dialect.dialect)
        context = MatchContext(variables: Variables(count: compiler.table.names.count))
        context.bools = matcher.bools
    }

    private static func textPattern(
        _ behaviour: BoundBehaviour?, _ source: SourceText, _ compiler: inout PatternCompiler
    ) -> TextPattern? {
        guard let behaviour else { return nil }
        let scope = compiler.dialectScope.child()
        var given: [String: Int] = [:]
        for parameter in behaviour.parameters where parameter != "text" {
            given[parameter] = scope.define(parameter)
        }
        let context = CompileContext(source: source, scope: scope, isBehaviour: true)
        for pattern in behaviour.awaits {
            guard let compiled = compiler.pattern(pattern, nil, context),
                let text = scope.variable("text")
            else { continue }
            return TextPattern(pattern: compiled, given: given, text: text)
        }
        return nil
    }

    /// The classifier, with fields that exceed a command's arguments read as part of the last
    /// argument, whatever the dialect's tolerance. Texts then contain everything that the server
    /// sent.
    package var joiningExtraFields: LineClassifier {
        var copy = self
        copy.matcher = LineMatcher(matcher.dialect.joiningExtraFields)
        return copy
    }

    /// Returns false if no line with this command is a refusal. This is much faster than
    /// ``isRefusal(_:for:)``.
    ///
    /// - Parameters:
    ///   - command: the command's index in the dialect; nil if it is unknown.
    ///   - verb: the command on the wire.
    package mutating func mayBeRefusal(command: Int?, verb: [UInt8]) -> Bool {
        let isNamed = rejects.contains { pattern in
            if case .typed(let typed) = pattern.form { typed.command == command } else { false }
        }
        if isNamed { return true }
        if let known = refusalVerbs[verb] { return known }
        let ignoringCase = matcher.dialect.syntax.fromServer.ignoresVerbCase
        let mayMatch = rejects.contains { pattern in
            switch pattern.form {
            case .typed: return false
            case .wire(let wire):
                guard let part = wire.verb, !part.compares(with: nameVariable) else { return true }
                return part.matches(verb, &context, ignoringCase: ignoringCase)
            case .json, .raw: return true
            }
        }
        if refusalVerbs.count < Self.verbsMax { refusalVerbs[verb] = mayMatch }
        return mayMatch
    }

    package mutating func isRefusal(_ line: ReceivedLine, for name: [UInt8]) -> Bool {
        matches(rejects, line, name)
    }

    /// Returns true if the line is unsolicited according to the dialect.
    ///
    /// - Parameter name: the recipient's login name.
    package mutating func isUnsolicited(_ line: ReceivedLine, for name: [UInt8]) -> Bool {
        matches(ignores, line, name)
    }

    /// Returns true if the line looks like an answer to a probe. Always false in dialects whose
    /// answers contain a token, because the token identifies them.
    ///
    /// - Parameter name: the recipient's login name.
    package mutating func isProbeAnswer(_ line: ReceivedLine, for name: [UInt8]) -> Bool {
        matches(probeAnswers, line, name)
    }

    /// Returns the message text in a line that matches the pattern of a behaviour; nil if the line
    /// does not match.
    ///
    /// - Parameters:
    ///   - given: values for the other parameters of the behaviour.
    ///   - name: the recipient's login name.
    package mutating func text(
        _ line: ReceivedLine, expectedBy behaviour: String, given: [String: [UInt8]],
        for name: [UInt8]
    ) -> [UInt8]? {
        guard let pattern = texts[behaviour] else { return nil }
        for (parameter, variable) in pattern.given {
            context.variables[variable] = given[parameter]
        }
        context.variables[nameVariable] = name
        guard matcher.mismatch(pattern.pattern, line, &context) == nil else { return nil }
        return context.captures.first { $0.variable == pattern.text }?.bytes
    }

    private mutating func matches(
        _ patterns: [LinePattern], _ line: ReceivedLine, _ name: [UInt8]
    ) -> Bool {
        context.variables[nameVariable] = name
        return patterns.contains { matcher.mismatch($0, line, &context) == nil }
    }
}

extension Dialect {
    /// The dialect, with the tolerance `join-last` for all commands.
    fileprivate var joiningExtraFields: Dialect {
        var copy = self
        copy.tolerance.tooMany = .joinLast
        copy.commands = CommandTable(
            commands.signatures.map { signature in
                var signature = signature
                signature.tolerance?.tooMany = .joinLast
                return signature
            }, ignoringCase: syntax.fromServer.ignoresVerbCase)
        return copy
    }
}

extension PatternCompiler {
    /// Compiles patterns of the dialect, each with its own variables.
    package mutating func patterns(
        _ patterns: [Pattern], in source: SourceText
    ) -> [LinePattern] {
        patterns.compactMap { pattern in
            let context = CompileContext(
                source: source, scope: dialectScope.child(), isBehaviour: true)
            return self.pattern(pattern, nil, context)
        }
    }
}
