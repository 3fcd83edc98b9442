/// The description of a protocol: its framing, fields, escaping, commands and behaviours.
///
/// Clients, servers, checks, load tests and captures all use this type. Many values contain a
/// dialect, so its content is stored outside and shared by copies; a change copies the content.
public struct Dialect: Sendable {
    // Without optimisation, Swift 6.3 can copy a large value that `_read` yields after the accessor
    // has ended and freed it. Getters would make optimised code larger.
    @usableFromInline var storage: Storage

    /// The name used in scenarios.
    public var name: String {
        @inlinable _read { yield storage.content.name }
        set { change { $0.name = newValue } }
    }
    /// A one-line description.
    public var summary: String {
        @inlinable _read { yield storage.content.summary }
        set { change { $0.summary = newValue } }
    }
    /// The default port of servers, or nil.
    public var port: Int? {
        @inlinable _read { yield storage.content.port }
        set { change { $0.port = newValue } }
    }
    #if DEBUG
        /// Rules for dividing a byte stream into frames.
        public var framing: Framing {
            get { storage.content.framing }
            set { change { $0.framing = newValue } }
        }
        /// Rules for dividing a line into fields, in each direction.
        public var syntax: PerDirection<FieldSyntax> {
            get { storage.content.syntax }
            set { change { $0.syntax = newValue } }
        }
        /// Escape rules for special bytes, in each direction.
        public var escaping: PerDirection<Escaping> {
            get { storage.content.escaping }
            set { change { $0.escaping = newValue } }
        }
    #else
        /// Rules for dividing a byte stream into frames.
        public var framing: Framing {
            @inlinable _read { yield storage.content.framing }
            set { change { $0.framing = newValue } }
        }
        /// Rules for dividing a line into fields, in each direction.
        public var syntax: PerDirection<FieldSyntax> {
            @inlinable _read { yield storage.content.syntax }
            set { change { $0.syntax = newValue } }
        }
        /// Escape rules for special bytes, in each direction.
        public var escaping: PerDirection<Escaping> {
            @inlinable _read { yield storage.content.escaping }
            set { change { $0.escaping = newValue } }
        }
    #endif
    /// Rules for handling missing, extra and invalid arguments.
    public var tolerance: Tolerance {
        @inlinable _read { yield storage.content.tolerance }
        set { change { $0.tolerance = newValue } }
    }
    /// The commands.
    public var commands: CommandTable {
        @inlinable _read { yield storage.content.commands }
        set { change { $0.commands = newValue } }
    }
    /// The scenario steps for common actions such as logging in, by behaviour name.
    public var behaviours: [String: Behaviour] {
        @inlinable _read { yield storage.content.behaviours }
        set { change { $0.behaviours = newValue } }
    }
    /// Patterns for lines that refuse a request, in the scenario language.
    public var rejects: [Behaviour] {
        @inlinable _read { yield storage.content.rejects }
        set { change { $0.rejects = newValue } }
    }
    /// Patterns for unsolicited lines, which expectations skip.
    public var ignores: [Behaviour] {
        @inlinable _read { yield storage.content.ignores }
        set { change { $0.ignores = newValue } }
    }
    /// Ways to find out which features a server supports, by kind of feature, such as `cap`.
    public var offers: [String: Offer] {
        @inlinable _read { yield storage.content.offers }
        set { change { $0.offers = newValue } }
    }
    /// Names of the client commands that checks send; nil for all commands.
    public var checkedCommands: [String]? {
        @inlinable _read { yield storage.content.checkedCommands }
        set { change { $0.checkedCommands = newValue } }
    }
    /// Timing rules for servers.
    public var timing: Timing {
        @inlinable _read { yield storage.content.timing }
        set { change { $0.timing = newValue } }
    }
    /// The specification clauses that the dialect refers to.
    public var clauses: [Clause] {
        @inlinable _read { yield storage.content.clauses }
        set { change { $0.clauses = newValue } }
    }
    /// The server's choices where the protocol allows several, keyed by policy, such as `nul: cut`.
    public var policies: [String: String] {
        @inlinable _read { yield storage.content.policies }
        set { change { $0.policies = newValue } }
    }
    /// Unspecified policies (`?`). For these, checks report what the server does.
    public var openPolicies: [String] {
        @inlinable _read { yield storage.content.openPolicies }
        set { change { $0.openPolicies = newValue } }
    }
    /// Checks that this server software is known to fail.
    public var knownFailures: [KnownFailure] {
        @inlinable _read { yield storage.content.knownFailures }
        set { change { $0.knownFailures = newValue } }
    }
    /// The profile that was applied to the dialect, such as `ngircd`, or nil.
    public var profile: String? {
        @inlinable _read { yield storage.content.profile }
        set { change { $0.profile = newValue } }
    }

    /// Creates a dialect. `syntax` and `escaping` apply to both directions, unless `serverSyntax` or
    /// `serverEscaping` is given for lines from servers.
    public init(
        name: String, summary: String = "", port: Int? = nil, framing: Framing = Framing(),
        syntax: FieldSyntax = FieldSyntax(), escaping: Escaping,
        serverSyntax: FieldSyntax? = nil, serverEscaping: Escaping? = nil,
        tolerance: Tolerance = Tolerance(), commands: CommandTable = CommandTable(),
        behaviours: [String: Behaviour] = [:], rejects: [Behaviour] = [],
        ignores: [Behaviour] = [], offers: [String: Offer] = [:],
        checkedCommands: [String]? = nil, timing: Timing = Timing(), clauses: [Clause] = [],
        policies: [String: String] = [:], openPolicies: [String] = [],
        knownFailures: [KnownFailure] = [], profile: String? = nil
    ) {
        storage = Storage(
            Content(
                name: name,
                summary: summary,
                port: port,
                framing: framing,
                syntax: PerDirection(fromClient: syntax, fromServer: serverSyntax ?? syntax),
                escaping: PerDirection(
                    fromClient: escaping, fromServer: serverEscaping ?? escaping),
                tolerance: tolerance,
                commands: commands,
                behaviours: behaviours,
                rejects: rejects,
                ignores: ignores,
                offers: offers,
                checkedCommands: checkedCommands,
                timing: timing,
                clauses: clauses,
                policies: policies,
                openPolicies: openPolicies,
                knownFailures: knownFailures,
                profile: profile))
    }

    /// Returns the clause with this ID, or nil.
    public func clause(_ id: String) -> Clause? { clauses.first { $0.id == id } }

    private mutating func change(_ change: (inout Content) -> Void) {
        var content = storage.content
        change(&content)
        storage = Storage(content)
    }

    @usableFromInline struct Content: Sendable {
        @usableFromInline var name: String
        @usableFromInline var summary: String
        @usableFromInline var port: Int?
        @usableFromInline var framing: Framing
        @usableFromInline var syntax: PerDirection<FieldSyntax>
        @usableFromInline var escaping: PerDirection<Escaping>
        @usableFromInline var tolerance: Tolerance
        @usableFromInline var commands: CommandTable
        @usableFromInline var behaviours: [String: Behaviour]
        @usableFromInline var rejects: [Behaviour]
        @usableFromInline var ignores: [Behaviour]
        @usableFromInline var offers: [String: Offer]
        @usableFromInline var checkedCommands: [String]?
        @usableFromInline var timing: Timing
        @usableFromInline var clauses: [Clause]
        @usableFromInline var policies: [String: String]
        @usableFromInline var openPolicies: [String]
        @usableFromInline var knownFailures: [KnownFailure]
        @usableFromInline var profile: String?
    }

    @usableFromInline final class Storage: Sendable {
        @usableFromInline let content: Content

        init(_ content: Content) { self.content = content }
    }
}
