package import Diagnostics
package import LineProtocol
import Scenario

/// Tells the lines of a server that a dialect says arrive unasked (its `ignores`).
///
/// For whoever reads a conversation that it does not take part in: a recording, a capture.
package struct UnaskedLines {
    private var matcher: LineMatcher
    private var context: MatchContext
    private let patterns: [LinePattern]
    private let name: Int

    /// - Parameter dialectSource: the file that the dialect was read from.
    /// - Throws: what keeps the dialect's patterns from being compiled.
    package init(_ dialect: Dialect, dialectSource: SourceText) throws(Diagnosed) {
        let file = ScenarioParser.parse(SourceText(path: "", text: "")).file
        var compilation = Compilation(file: file, dialect: dialect, dialectSource: dialectSource)
        patterns = compilation.dialectRules().map(\.pattern)
        if compilation.diagnostics.hasErrors { throw Diagnosed(compilation.diagnostics) }
        name = compilation.nameVariable
        matcher = LineMatcher(dialect)
        context = MatchContext(variables: Variables(count: compilation.table.names.count))
        context.bools = dialect.boolSpellings
    }

    /// Whether such a line arrives unasked.
    ///
    /// - Parameters:
    ///   - line: the line without its terminator.
    ///   - operatorName: the name under which its receiver is logged in.
    package mutating func contains(
        _ line: [UInt8], payload: [UInt8]?, operatorName: [UInt8]
    ) -> Bool {
        context.variables[name] = operatorName
        let end = line.count + (payload?.count ?? 0)
        let frame = Frame(
            line: 0..<line.count, payload: payload.map { _ in line.count..<end }, whole: 0..<end)
        let buffer = line + (payload ?? [])
        let received = ReceivedLine(frame, in: buffer.span, at: 0)
        return patterns.contains { matcher.mismatch($0, received, &context) == nil }
    }
}
