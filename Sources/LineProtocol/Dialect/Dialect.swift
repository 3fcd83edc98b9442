/// The description of a protocol: its framing, fields, escaping, commands and behaviours.
///
/// Clients, servers, checks, load tests and captures all use this type.
public struct Dialect: Sendable {
    /// The name used in scenarios.
    public var name: String
    /// A one-line description.
    public var summary: String
    /// The default port of servers, or nil.
    public var port: Int?
    /// Rules for dividing a byte stream into frames.
    public var framing: Framing
    /// Rules for dividing a line into fields.
    public var syntax: FieldSyntax
    /// Escape rules for special bytes.
    public var escaping: Escaping
    /// Rules for handling missing, extra and invalid arguments.
    public var tolerance: Tolerance
    /// The commands.
    public var commands: CommandTable
    /// The scenario steps for common actions such as logging in, by behaviour name.
    public var behaviours: [String: Behaviour]
    /// Patterns for lines that refuse a request, in the scenario language.
    public var rejects: [Behaviour]
    /// Patterns for unsolicited lines, which expectations skip.
    public var ignores: [Behaviour]
    /// Ways to find out which features a server supports, by kind of feature, such as `cap`.
    public var offers: [String: Offer]
    /// Names of the client commands that checks send; nil for all commands.
    public var checkedCommands: [String]?
    /// Timing rules for servers.
    public var timing: Timing
    /// The specification clauses that the dialect refers to.
    public var clauses: [Clause]
    /// The server's choices where the protocol allows several, keyed by policy, such as `nul: cut`.
    public var policies: [String: String]
    /// Unspecified policies (`?`). For these, checks report what the server does.
    public var openPolicies: [String]
    /// Checks that this server software is known to fail.
    public var knownFailures: [KnownFailure]
    /// The profile that was applied to the dialect, such as `ngircd`, or nil.
    public var profile: String?

    /// Creates a dialect.
    public init(
        name: String, summary: String = "", port: Int? = nil, framing: Framing = Framing(),
        syntax: FieldSyntax = FieldSyntax(), escaping: Escaping,
        tolerance: Tolerance = Tolerance(), commands: CommandTable = CommandTable(),
        behaviours: [String: Behaviour] = [:], rejects: [Behaviour] = [],
        ignores: [Behaviour] = [], offers: [String: Offer] = [:],
        checkedCommands: [String]? = nil, timing: Timing = Timing(), clauses: [Clause] = [],
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
        self.checkedCommands = checkedCommands
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
