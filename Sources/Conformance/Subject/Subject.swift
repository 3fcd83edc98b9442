package import DialectModel
package import Diagnostics
import DialectFiles
package import LineProtocol
import Results
import Scenario
import Session

/// A dialect under test, with the properties that checks depend on.
package struct Subject: Sendable {
    package let bound: BoundDialect
    package var dialect: Dialect { bound.dialect }
    package var source: SourceText { bound.source }
    /// Name of the dialect as given by the user, for use in scenario files.
    package let name: String
    /// Name of the dialect in scenario files. For a user's dialect, it refers to the copy of the
    /// dialect file in the same folder.
    package var writtenName: String {
        guard !bound.isBuiltIn, let file = source.path.split(separator: "/").last else {
            return name
        }
        return file + (dialect.profile.map { "+" + $0 } ?? "")
    }

    /// Copies of the dialect file and the files that it is based on, which must accompany scenario
    /// files; empty for a built-in dialect.
    package var dialectFiles: [(name: String, bytes: [UInt8])] {
        bound.isBuiltIn ? [] : DialectCopies.of(source)
    }

    /// The behaviours for exchanging messages; nil if the dialect has none.
    let talk: MessageBehaviours?
    /// Positions of settings in the dialect file.
    private let settings: SettingPositions
    package var runsSlowChecks = false
    /// How long the server takes for a login while nothing else runs, in nanoseconds; 0 if logins
    /// are fast.
    var loginTime: Int64 = 0
    /// Minimum time of a login that counts as slow, in nanoseconds. Some servers look up the names
    /// of clients, and wait for a second or two if no name server answers.
    static let slowLoginMin: Int64 = 400_000_000
    static let slowLoginMax: Int64 = 10_000_000_000
    /// Values of the variables that behaviours use.
    package let variables: [String: [UInt8]]
    /// Variables that behaviours send and for which no value was given, in the order of their first
    /// use. Their value in `variables` is arbitrary.
    package let missingVariables: [String]

    /// Names of variables whose values are masked.
    package let secrets: Set<String>

    /// The secret variables with a value, ordered by name.
    package var secretValues: [(name: String, value: [UInt8])] {
        secrets.sorted().compactMap { name in variables[name].map { (name, $0) } }
    }

    /// Creates a subject.
    ///
    /// - Parameters:
    ///   - variables: Values of variables that behaviours use, such as a ticket.
    ///   - secrets: Names of variables whose values are masked. Variables that the dialect sends in
    ///     secret arguments are added.
    /// - Throws: ``Diagnosed`` with the errors in the dialect's patterns and settings.
    package init(
        _ bound: BoundDialect, name: String? = nil, variables: [String: [UInt8]] = [:],
        secrets: Set<String> = []
    ) throws(Diagnosed) {
        let bound = try bound.checked().given(Set(variables.keys))
        self.bound = bound
        let contradictions = bound.lint.filter { $0.severity == .error }
        if !contradictions.isEmpty { throw Diagnosed(contradictions) }
        self.name = name ?? bound.dialect.name
        // Without a value, not even the list of checks could be created, because behaviours that
        // use the variable do not compile. The reference server accepts any value. Other servers
        // may refuse it, so the results would be meaningless, and `CheckSetup` requires the values.
        missingVariables = bound.freeVariables.filter { variables[$0] == nil }
        self.variables = variables.merging(missingVariables.map { ($0, Self.anyValue) }) {
            given, _ in given
        }
        self.secrets = secrets.union(bound.secretVariables).intersection(variables.keys)
        talk = MessageBehaviours(bound)
        settings = SettingPositions(bound.source, profile: bound.dialect.profile)
    }

    /// A value that is valid as text and as a number.
    private static let anyValue = Array("1".utf8)

    /// Returns the position of a setting in the dialect file; nil if the file does not contain it.
    func location(of setting: String) -> BasisLocation? {
        guard let range = settings[setting] else { return nil }
        let location = DiagnosticLocation(source: source, range: range)
        let (start, end) = (location.position, location.source.position(at: location.range.end))
        return BasisLocation(
            file: location.source.path, line: start.line, column: start.column,
            endColumn: end.line == start.line ? end.column : start.column + 1)
    }

    /// Returns the clause that the dialect cites for a setting; nil if there is none.
    func clause(for setting: String) -> Clause? {
        dialect.clauses.first { $0.rules.contains(setting) }
    }

    /// Returns whether the dialect has a behaviour.
    func has(_ behaviour: String) -> Bool { bound[behaviour] != nil }

    /// True if operators can be isolated from each other, so that several cases can run at the same
    /// time.
    package var isolatesOperators: Bool {
        has("login") && (talk?.isAddressed ?? true)
    }

    /// The terminator of lines that clients send.
    var terminator: [UInt8] { dialect.framing.fromClient.terminator.bytes }

    /// Maximum delay caused by the server's flood control, in nanoseconds.
    package var throttle: Int64 { dialect.timing.throttleMax ?? 0 }

    /// How long to wait before a server counts as unresponsive, in nanoseconds.
    package var patience: Int64 { throttle + 5_000_000_000 }

    /// The dialect's first refusal pattern; nil if it has none.
    var refusalPattern: Pattern? { bound.rejects.first }

    /// Client commands to check, each with its wire name.
    var clientCommands: [(signature: CommandSignature, verb: [UInt8])] {
        knownCommands.filter { signature, _ in isChecked(signature) }
    }

    /// Returns false if the dialect limits the checks to other commands.
    func isChecked(_ signature: CommandSignature) -> Bool {
        dialect.checkedCommands?.contains(signature.name) ?? true
    }

    /// All client commands, each with its wire name.
    var knownCommands: [(signature: CommandSignature, verb: [UInt8])] {
        dialect.commands.signatures.compactMap { signature in
            guard signature.direction.allows(.fromClient), case .exact(let verb) = signature.wire
            else { return nil }
            return (signature, verb)
        }
    }

    /// True if lines start with a command.
    var hasVerbs: Bool { dialect.syntax.fromClient.verb != .none }

    /// Appends the separator before the next argument to a line that starts with a command. If
    /// commands have a fixed length, the first argument follows directly.
    func appendSeparator(to line: inout [UInt8], after verb: [UInt8]) {
        let syntax = dialect.syntax.fromClient
        if case .bytes = syntax.verb, line.count == verb.count { return }
        line.append(syntax.separators.first ?? ASCII.space)
    }

    /// True if errors close the connection, so that each error requires a new connection.
    var errorsClose: Bool { dialect.policies["unknown-command"] == "close" }

    /// Returns whether the dialect's logout sends this command.
    func logsOut(_ signature: CommandSignature) -> Bool {
        bound.sends(signature, in: ["logout"])
    }

    /// Returns the tolerance settings of a command.
    func tolerance(_ signature: CommandSignature) -> Tolerance {
        signature.tolerance ?? dialect.tolerance
    }
}
