import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// The values of a program's variables and the operators' login names. Compares received lines with
/// patterns and renders messages, using these values.
struct Bindings {
    let program: Program
    private let environment: [String: String]
    private var matcher: LineMatcher
    private var context: MatchContext
    /// The operators' login names, by index.
    var loginNames: [[UInt8]]

    init(_ program: Program, _ options: ExecutionOptions, random: inout SeededRandom) {
        self.program = program
        environment = options.environment
        matcher = program.matcher
        context = MatchContext(
            variables: Variables(count: program.variables.count),
            bools: program.matcher.bools)
        loginNames = program.operators.map { options.loginNames[$0] ?? Array($0.utf8) }
        for (index, name) in program.variables.enumerated() {
            if let value = options.variables[name] { context.variables[index] = value }
            if name == "nonce" { context.variables[index] = random.word() }
        }
        for setting in program.settings {
            // A `set` line may use only variables that already have a value: predefined ones, those
            // set outside the scenario, and those of earlier `set` lines.
            if let bytes = try? render(setting.value, setting.range) {
                context.variables[setting.variable] = bytes
            }
        }
    }

    var variables: Variables {
        get { context.variables }
        set { context.variables = newValue }
    }

    subscript(variable: Int) -> [UInt8]? {
        get { context.variables[variable] }
        set { context.variables[variable] = newValue }
    }

    // MARK: Matching

    /// Compares a line with a pattern. Returns nil if they match; the captured values are then
    /// available to `storeCaptures()`.
    mutating func mismatch(_ pattern: LinePattern, _ line: ReceivedLine) -> Mismatch? {
        matcher.mismatch(pattern, line, &context)
    }

    /// Assigns the values captured by the last comparison to their variables.
    mutating func storeCaptures() { context.variables.set(context.captures) }

    /// Selects the operator whose login name the dialect's patterns refer to.
    mutating func select(_ operatorIndex: Int) {
        context.variables[program.nameVariable] = loginNames[operatorIndex]
    }

    /// Returns true if the line matches one of the dialect's patterns for refusals.
    mutating func isRefusal(_ line: ReceivedLine, _ operatorIndex: Int) -> Bool {
        select(operatorIndex)
        return program.rejects.contains { matcher.mismatch($0, line, &context) == nil }
    }

    /// Returns the parts of a line that are compared between two runs.
    mutating func parts(_ line: ReceivedLine) -> [[UInt8]] { matcher.parts(line) }

    /// Returns the command of a line that a client sends.
    mutating func verb(_ buffer: [UInt8], _ line: Range<Int>) -> [UInt8] {
        matcher.verb(buffer, line)
    }

    // MARK: Rendering

    func render(_ message: MessageTemplate) throws(RenderingError) -> [SendPart] {
        try renderer(context.variables).render(message)
    }

    func render(
        _ value: MessageTemplate.Bytes, _ range: SourceRange
    ) throws(RenderingError) -> [UInt8] {
        try renderer(context.variables).render(value, range)
    }

    /// Renders the reply to the line that was compared last. Only the reply can use the values that
    /// the pattern captured.
    func renderReply(_ message: MessageTemplate) throws(RenderingError) -> [SendPart] {
        var variables = context.variables
        variables.set(context.captures)
        return try renderer(variables).render(message)
    }

    private func renderer(_ variables: Variables) -> MessageRenderer {
        let loginNames = loginNames
        return MessageRenderer(
            program.dialect, variables: variables, names: program.variables,
            bools: context.bools, environment: environment
        ) { loginNames[$0] }
    }
}
