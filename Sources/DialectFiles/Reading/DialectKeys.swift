import LineProtocol

/// Keys of a dialect file and of its profiles.
package enum DialectKeys {
    static let name = ValueKey(
        "name", "Name used by scenarios", .name("a valid dialect name"),
        missing: "start the file with `name: …`")
    static let summary = ValueKey(
        "summary", "One-line description", .text(bytesMax: 400), default: "")
    static let port = ValueKey("port", "Default port of its servers", .number(1...65_535))
    static let framing = Key(
        "framing", "How the stream is split into lines; by default at LF", .map(FramingKeys.table))
    static let fields = Key(
        "fields", "How a line is split into fields; by default at spaces", .map(FieldsKeys.table))
    static let escaping = Key(
        "escaping", "How special bytes are written inside a value", EscapingKeys.shape,
        fallback: .text("none"))
    static let tolerance = Key(
        "tolerance", "How too few, too many and invalid arguments are handled",
        .map(ToleranceKeys.table))
    static let policies = Key(
        "policies", "Server behaviour that the protocol does not specify; open unless set",
        .map(PolicyReader.table))
    static let commands = Key(
        "commands", "Commands, by the names that scenarios use for them",
        .entries(.init(.map(CommandKeys.table), max: CommandsReader.commandsMax)))
    static let behaviours = Key(
        "behaviours", "How an operator logs in, sends and receives messages: scenario text by name",
        .entries(
            .init(
                BehaviourKeys.shape, standard: StandardBehaviour.summaries,
                max: BehaviourReader.behavioursMax)))
    static let rejects = Key(
        "rejects", "Patterns of refusals: an expectation that receives one fails at once",
        BehaviourKeys.patterns)
    static let ignores = Key(
        "ignores", "Patterns of unsolicited lines, which expectations skip", BehaviourKeys.patterns)
    static let offers = Key(
        "offers", "How a server shows what it supports, by kind; for `needs` in scenarios",
        .entries(.init(OfferKeys.shape, max: OfferReader.offersMax)))
    static let timing = Key(
        "timing", "Time limits and intervals of servers", .map(TimingKeys.table))
    static let clauses = Key(
        "clauses", "Sources of rules, by id",
        .entries(.init(.map(ClauseKeys.table), keys: .texts, max: ClauseReader.clausesMax)))
    static let knownFailures = Key(
        "known-failures", "Checks that a server is known to fail",
        .list(of: .map(KnownFailureKeys.table), max: ClauseReader.clausesMax))
    static let profiles = Key(
        "profiles", "How individual servers differ from the dialect, by name",
        .entries(.init(.map(profileTable), max: YamlReader.valuesMax, areMerged: true)))

    /// The keys of a dialect file.
    package static let table = KeyTable("dialect", shared + [profiles])

    /// The keys of a profile: all keys that describe a server.
    static let profileTable = KeyTable("dialect", shared).without(
        [name.key.name], title: "profile")

    private static let shared: [any SettingKey] = [
        name, summary, port, framing, fields, escaping, tolerance, policies, commands, behaviours,
        rejects, ignores, offers, timing, clauses, knownFailures,
    ]
}
