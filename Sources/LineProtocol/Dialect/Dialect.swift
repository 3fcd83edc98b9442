/// How a server speaks: framing, fields, escaping, commands and behaviours.
///
/// One value serves client, server, checks, load and capture: what one side encodes with it the other
/// decodes with it.
public struct Dialect: Sendable {
    /// What scenarios call it.
    public var name: String
    /// What it is, in a line.
    public var summary: String
    /// The port that its servers listen on, or nil.
    public var port: Int?
    /// How a stream is cut into frames.
    public var framing: Framing
    /// How a line is divided.
    public var syntax: FieldSyntax
    /// How bytes that mean something are written.
    public var escaping: Escaping
    /// What happens when arguments are not as declared.
    public var tolerance: Tolerance
    /// The commands.
    public var commands: CommandTable
    /// What every operator does, by name.
    public var behaviours: [String: Behaviour]
    /// Patterns, in the scenario language, of lines that refuse something.
    public var rejects: [Behaviour]
    /// Patterns of lines that arrive unasked and that expectations pass over.
    public var ignores: [Behaviour]
    /// The times that its servers keep.
    public var timing: Timing
    /// The rules that it cites.
    public var clauses: [Clause]
    /// What the servers do where the protocol leaves it to them, word by policy (`nul: cut`).
    public var policies: [String: String]
    /// The policies that the dialect leaves open (`?`): to be measured, not presumed.
    public var openPolicies: [String]
    /// What this software is known to do wrong.
    public var knownFailures: [KnownFailure]
    /// The profile that was laid over the dialect, such as `ngircd`, or nil.
    public var profile: String?

    /// A value from its parts.
    public init(
        name: String, summary: String = "", port: Int? = nil, framing: Framing = Framing(),
        syntax: FieldSyntax = FieldSyntax(), escaping: Escaping,
        tolerance: Tolerance = Tolerance(), commands: CommandTable = CommandTable(),
        behaviours: [String: Behaviour] = [:], rejects: [Behaviour] = [],
        ignores: [Behaviour] = [], timing: Timing = Timing(), clauses: [Clause] = [],
        policies: [String: String] = [:], openPolicies: [String] = [],
        knownFailures: [KnownFailure] = [], profile: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.port = port
        self.framing = framing
        self.syntax = syntax
        self.escaping = escaping
        self.tolerance = tolerance
        self.commands = commands
        self.behaviours = behaviours
        self.rejects = rejects
        self.ignores = ignores
        self.timing = timing
        self.clauses = clauses
        self.policies = policies
        self.openPolicies = openPolicies
        self.knownFailures = knownFailures
        self.profile = profile
    }

    /// The clause of this id, if the dialect cites it.
    public func clause(_ id: String) -> Clause? { clauses.first { $0.id == id } }
}
