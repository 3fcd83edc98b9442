package import DialectModel
package import Diagnostics
import DialectFiles
package import LineProtocol
import Results
import Scenario
import Session

/// A dialect under test, with answers to the questions that checks ask about it.
package struct Subject: Sendable {
    package let bound: BoundDialect
    package var dialect: Dialect { bound.dialect }
    package var source: SourceText { bound.source }
    /// Name of the dialect as given, which is used in written scenarios.
    package let name: String
    /// Name of the dialect in written scenarios. For a user's dialect, this is the copy of its file
    /// in the same folder.
    package var writtenName: String {
        guard let file = dialectFile else { return name }
        return file.name + (dialect.profile.map { "+" + $0 } ?? "")
    }

    /// The dialect file that written scenarios need; nil for a built-in dialect.
    package var dialectFile: (name: String, bytes: [UInt8])? {
        guard !bound.isBuiltIn, let name = source.path.split(separator: "/").last else {
            return nil
        }
        return (String(name), source.bytes)
    }

    /// How messages are exchanged; nil if the dialect has no behaviours for it.
    let talk: Talk?
    /// Positions of the settings in the dialect file.
    private let settings: SettingPositions
    /// Whether slow checks run.
    package var runsSlowChecks = false
    /// Values of variables that the login needs.
    package let variables: [String: [UInt8]]

    /// Creates a subject.
    ///
    /// - Parameter variables: Values of variables that behaviours need, such as a ticket.
    /// - Throws: The errors in the dialect's patterns.
    package init(
        _ bound: BoundDialect, name: String? = nil, variables: [String: [UInt8]] = [:]
    ) throws(Diagnosed) {
        self.bound = try bound.checked()
        let contradictions = bound.lint.filter { $0.severity == .error }
        if !contradictions.isEmpty { throw Diagnosed(contradictions) }
        self.name = name ?? bound.dialect.name
        var values = variables
        for name in bound.freeVariables where values[name] == nil {
            values[name] = Array("t=1".utf8)
        }
        self.variables = values
        talk = Talk(bound)
        settings = SettingPositions(bound.source, profile: bound.dialect.profile)
    }

    /// Returns the position of a setting in the dialect file.
    func location(of setting: String) -> BasisLocation? {
        guard let range = settings[setting] else { return nil }
        let (start, end) = (source.position(at: range.start), source.position(at: range.end))
        return BasisLocation(
            file: source.path, line: start.line, column: start.column,
            endColumn: end.line == start.line ? end.column : start.column + 1)
    }

    /// Returns the clause cited for a setting; nil if there is none.
    func clause(for setting: String) -> Clause? {
        dialect.clauses.first { $0.rules.contains(setting) }
    }

    /// Returns whether the dialect has a behaviour.
    func has(_ behaviour: String) -> Bool { bound[behaviour] != nil }

    /// Whether operators can be isolated, so that cases can run at the same time.
    package var isolatesOperators: Bool {
        has("login") && (talk?.isAddressed ?? true)
    }

    /// Line terminator that clients send.
    var terminator: [UInt8] { dialect.framing.fromClient.terminator.bytes }

    /// Maximum delay caused by flood control, in nanoseconds.
    package var throttle: Int64 { dialect.timing.throttleMax ?? 0 }

    /// Time in nanoseconds after which a server that has not answered counts as unresponsive.
    package var patience: Int64 { throttle + 5_000_000_000 }

    /// The dialect's first refusal as a pattern; nil if it has none.
    var refusalPattern: String? { bound.rejects.first.map(StepPrinter.text) }

    /// The commands that clients send, with their words on the wire.
    var clientCommands: [(signature: CommandSignature, verb: [UInt8])] {
        dialect.commands.signatures.compactMap { signature in
            guard signature.direction.allows(.fromClient), case .exact(let verb) = signature.wire
            else { return nil }
            return (signature, verb)
        }
    }

    /// Whether lines have commands.
    var hasVerbs: Bool { dialect.syntax.verb != .none }

    /// Whether errors close the connection, so that each one needs a new connection.
    var errorsClose: Bool { dialect.policies["unknown-command"] == "close" }

    /// Returns whether the dialect's logout uses this command.
    func logsOut(_ signature: CommandSignature) -> Bool {
        bound.sends(signature, in: ["logout"])
    }

    /// Returns the tolerance settings of a command.
    func tolerance(_ signature: CommandSignature) -> Tolerance {
        signature.tolerance ?? dialect.tolerance
    }
}
