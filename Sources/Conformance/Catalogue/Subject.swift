package import DialectModel
package import Diagnostics
import DialectFiles
package import LineProtocol
import Results
import Scenario
import Session

/// A dialect as checks see it: what it can do, and what it is called by.
package struct Subject: Sendable {
    /// The dialect with its behaviours.
    package let bound: BoundDialect
    /// The dialect.
    package var dialect: Dialect { bound.dialect }
    /// Its file.
    package var source: SourceText { bound.source }
    /// How it was named; written into scenarios.
    package let name: String
    /// The name in written scenarios: for a user's dialect, the copy of its file in the same folder.
    package var writtenName: String {
        guard let file = dialectFile else { return name }
        return file.name + (dialect.profile.map { "+" + $0 } ?? "")
    }

    /// The dialect file that written scenarios need in their folder; nil for a built-in dialect.
    package var dialectFile: (name: String, bytes: [UInt8])? {
        guard !bound.isBuiltIn, let name = source.path.split(separator: "/").last else {
            return nil
        }
        return (String(name), source.bytes)
    }

    /// How a text gets to others, if the dialect can say that.
    let talk: Talk?
    /// Where the settings stand in the file.
    private let places: SettingPositions
    /// Whether checks may take minutes.
    package var playsSlow = false
    /// Values for variables that a login needs.
    package let variables: [String: [UInt8]]

    /// A subject.
    ///
    /// - Parameter variables: values for what the behaviours need from outside, such as a ticket.
    /// - Throws: what keeps the dialect's patterns from being used.
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
        places = SettingPositions(bound.source, profile: bound.dialect.profile)
    }

    /// Where a setting stands in the dialect's file.
    func place(of rule: String) -> BasisLocation? {
        guard let range = places[rule] else { return nil }
        let (start, end) = (source.position(at: range.start), source.position(at: range.end))
        return BasisLocation(
            file: source.path, line: start.line, column: start.column,
            endColumn: end.line == start.line ? end.column : start.column + 1)
    }

    /// The clause that is cited for a setting.
    func clause(for rule: String) -> Clause? {
        dialect.clauses.first { $0.rules.contains(rule) }
    }

    /// Whether a behaviour is stated.
    func has(_ behaviour: String) -> Bool { bound[behaviour] != nil }

    /// Whether operators can be kept apart: then several cases can be played at once.
    package var isolatesOperators: Bool {
        has("login") && (talk?.isAddressed ?? true)
    }

    /// The terminator of clients.
    var terminator: [UInt8] { dialect.framing.fromClient.terminator.bytes }

    /// How long an answer may be held back by flood control, in nanoseconds.
    package var throttle: Int64 { dialect.timing.throttleMax ?? 0 }

    /// How long is waited for an answer before the server counts as deaf, in nanoseconds.
    package var patience: Int64 { throttle + 5_000_000_000 }

    /// A refusal as scenarios expect it: the first of the dialect's; nil where it has none.
    var refusalPattern: String? { bound.rejects.first.map(StepPrinter.text) }

    /// The commands that a client sends, with their words on the wire.
    var clientCommands: [(signature: CommandSignature, verb: [UInt8])] {
        dialect.commands.signatures.compactMap { signature in
            guard signature.direction.allows(.fromClient), case .exact(let verb) = signature.wire
            else { return nil }
            return (signature, verb)
        }
    }

    /// Whether lines have commands at all.
    var hasVerbs: Bool { dialect.syntax.verb != .none }

    /// Whether an error ends the connection: then there is one line to each.
    var errorsClose: Bool { dialect.policies["unknown-command"] == "close" }

    /// Whether the dialect logs out with this command.
    func logsOut(_ signature: CommandSignature) -> Bool {
        bound.sends(signature, in: ["logout"])
    }

    /// What a setting of the tolerance is for a command.
    func tolerance(_ signature: CommandSignature) -> Tolerance {
        signature.tolerance ?? dialect.tolerance
    }
}
