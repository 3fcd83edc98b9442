package import Diagnostics
package import LineProtocol
import Scenario

/// Reads lines of a server as the dialect's own patterns do: what refuses, what comes unasked, what text a
/// line brings. For those who judge a transcript after the play.
package struct LineReader {
    private var matcher: LineMatcher
    private var context: MatchContext
    private let rejects: [LinePattern]
    private let ignores: [LinePattern]
    private let nameVariable: Int
    private var texts: [String: TextPattern] = [:]

    /// A behaviour's line that takes a `{{text}}`.
    private struct TextPattern {
        var pattern: LinePattern
        var given: [String: Int]
        var text: Int
    }

    /// A reader of the dialect's lines, or what is wrong with its patterns.
    ///
    /// - Parameters:
    ///   - source: the dialect's file.
    ///   - behaviours: those whose `{{text}}` can be asked for, such as `heard`.
    package init(
        _ dialect: Dialect, source: SourceText, behaviours: [String] = ["heard", "arrival"]
    ) throws(Diagnosed) {
        let file = try ScenarioParser.file(from: SourceText(path: "", text: "wait 1ms\n"))
        var compilation = Compilation(file: file, dialect: dialect, dialectSource: source)
        nameVariable = compilation.nameVariable
        rejects = compilation.rejects()
        ignores = compilation.dialectRules().map(\.pattern)
        for name in behaviours {
            texts[name] = Self.textPattern(name, &compilation)
        }
        if compilation.diagnostics.hasErrors { throw Diagnosed(compilation.diagnostics) }
        matcher = LineMatcher(dialect)
        context = MatchContext(variables: Variables(count: compilation.table.names.count))
        context.bools = dialect.boolSpellings
    }

    private static func textPattern(
        _ name: String, _ compilation: inout Compilation
    ) -> TextPattern? {
        guard let behaviour = compilation.dialect.behaviours[name],
            let piece = compilation.piece(behaviour)
        else { return nil }
        let scope = compilation.dialectScope.child()
        var given: [String: Int] = [:]
        for parameter in piece.parameters where parameter != "text" {
            given[parameter] = scope.define(parameter)
        }
        let place = Compilation.Place(
            source: compilation.dialectSource, scope: scope, itself: nil, isBehaviour: true)
        for step in piece.steps {
            guard case .expect(let expectation) = step.kind,
                let pattern = compilation.pattern(expectation.pattern, nil, place),
                let text = scope.variable("text")
            else { continue }
            return TextPattern(pattern: pattern, given: given, text: text)
        }
        return nil
    }

    /// Whether the line is one of those by which the dialect refuses.
    package mutating func isRefusal(_ entry: TranscriptEntry, for name: [UInt8]) -> Bool {
        matches(rejects, entry, name)
    }

    /// Whether the line is one of those that come unasked.
    package mutating func isUnasked(_ entry: TranscriptEntry, for name: [UInt8]) -> Bool {
        matches(ignores, entry, name)
    }

    /// The text that the line brings as that behaviour hears it; nil if it is another line.
    ///
    /// - Parameters:
    ///   - given: what the behaviour is given, without the text.
    ///   - name: the name under which the hearer has logged in.
    package mutating func text(
        _ entry: TranscriptEntry, heardAs behaviour: String, given: [String: [UInt8]],
        for name: [UInt8]
    ) -> [UInt8]? {
        guard let pattern = texts[behaviour] else { return nil }
        for (parameter, variable) in pattern.given {
            context.variables[variable] = given[parameter]
        }
        context.variables[nameVariable] = name
        guard matcher.mismatch(pattern.pattern, ReceivedLine(entry), &context) == nil else {
            return nil
        }
        return context.captures.first { $0.variable == pattern.text }?.bytes
    }

    private mutating func matches(
        _ patterns: [LinePattern], _ entry: TranscriptEntry, _ name: [UInt8]
    ) -> Bool {
        context.variables[nameVariable] = name
        let line = ReceivedLine(entry)
        return patterns.contains { matcher.mismatch($0, line, &context) == nil }
    }
}

extension ReceivedLine {
    /// The line of a transcript's entry.
    fileprivate init(_ entry: TranscriptEntry) {
        bytes = entry.bytes
        terminator = entry.terminator
        payload = entry.payload
        payloadIsBlock = false
        issue = nil
        time = entry.time
    }
}
