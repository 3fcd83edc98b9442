/// Description of a protocol: framing, fields, escaping, commands and behaviours.
///
/// The same value is used by clients, servers, checks, loads and captures.
public struct Dialect: Sendable {
    /// The name used in scenarios.
    public var name: String
    /// A one-line description.
    public var summary: String
    /// The servers' default port, or nil.
    public var port: Int?
    /// Rules for dividing the stream into frames.
    public var framing: Framing
    /// Rules for dividing a line into fields.
    public var syntax: FieldSyntax
    /// Escape rules for special bytes.
    public var escaping: Escaping
    /// Rules for handling unexpected arguments.
    public var tolerance: Tolerance
    /// The commands.
    public var commands: CommandTable
    /// The scenario steps for common actions, by name.
    public var behaviours: [String: Behaviour]
    /// Patterns of lines that refuse a request, in the scenario language.
    public var rejects: [Behaviour]
    /// Patterns of unsolicited lines that expectations skip.
    public var ignores: [Behaviour]
    /// How a server shows what it supports, by kind (`cap`).
    public var offers: [String: Offer]
    /// Timing rules of the servers.
    public var timing: Timing
    /// The specification clauses that the dialect cites.
    public var clauses: [Clause]
    /// The server's behaviour where the protocol leaves a choice, by policy (`nul: cut`).
    public var policies: [String: String]
    /// Policies left unspecified (`?`); checks report what the server does.
    public var openPolicies: [String]
    /// Known failures of this software.
    public var knownFailures: [KnownFailure]
    /// The profile applied to the dialect, such as `ngircd`, or nil.
    public var profile: String?

    /// Creates a dialect.
    public init(
        name: String, summary: String = "", port: Int? = nil, framing: Framing = Framing(),
        syntax: FieldSyntax = FieldSyntax(), escaping: Escaping,
        tolerance: Tolerance = Tolerance(), commands: CommandTable = CommandTable(),
        behaviours: [String: Behaviour] = [:], rejects: [Behaviour] = [],
        ignores: [Behaviour] = [], offers: [String: Offer] = [:], timing: Timing = Timing(),
        clauses: [Clause] = [],
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
        self.offers = offers
        self.timing = timing
        self.clauses = clauses
        self.policies = policies
        self.openPolicies = openPolicies
        self.knownFailures = knownFailures
        self.profile = profile
    }

    /// Returns the clause with this ID, or nil.
    public func clause(_ id: String) -> Clause? { clauses.first { $0.id == id } }
}
