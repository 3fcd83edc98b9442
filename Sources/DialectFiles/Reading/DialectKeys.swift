import LineProtocol

/// Keys allowed in a dialect file and in its profiles.
package enum DialectKeys {
    static let name = ValueKey(
        "name", "Name used by scenarios", .name("a valid dialect name"),
        missing: "start the file with `name: …`")
    static let summary = ValueKey(
        "summary", "One-line description", .text(bytesMax: 400), default: "")
    static let port = ValueKey("port", "Default server port", .number(1...65_535))
    static let framing = Key(
        "framing", "How the stream is split into lines; by default at LF", .map(FramingKeys.table))
    static let fields = Key(
        "fields", "How a line is split into fields; by default at spaces", .map(FieldsKeys.table))
    static let escaping = Key(
        "escaping", "How special bytes are written inside a value", EscapingKeys.shape,
        fallback: .text("none"))
    static let tolerance = Key(
        "tolerance", "How to handle too few, too many and invalid arguments",
        .map(ToleranceKeys.table))
    static let policies = Key(
        "policies", "Server behaviour that the protocol does not specify; open by default",
        .map(PolicyReader.table))
    static let commands = Key(
        "commands", "Commands, keyed by the names that scenarios use",
        .entries(.init(.map(CommandKeys.table), max: CommandsReader.commandsMax)))
    static let behaviours = Key(
        "behaviours",
        "How operators log in and exchange messages, as scenario text keyed by behaviour name",
        .entries(
            .init(
                BehaviourKeys.shape, standard: StandardBehaviour.summaries,
                max: BehaviourReader.behavioursMax)))
    static let rejects = Key(
        "rejects", "Patterns of refusals; an expectation that receives one fails immediately",
        BehaviourKeys.patterns)
    static let ignores = Key(
        "ignores", "Patterns of unsolicited lines that expectations skip", BehaviourKeys.patterns)
    static let offers = Key(
        "offers",
        "How a server announces what it supports, keyed by the kinds that `needs` lines use",
        .entries(.init(OfferKeys.shape, max: OfferReader.offersMax)))
    static let checkedCommands = Key(
        "checked-commands", "Client commands that `check` sends; by default all",
        .list(of: .name, max: CommandsReader.commandsMax))
    static let timing = Key(
        "timing", "Time limits and intervals of servers", .map(TimingKeys.table))
    static let clauses = Key(
        "clauses", "Sources of the rules, keyed by clause id",
        .entries(.init(.map(ClauseKeys.table), keys: .texts, max: ClauseReader.clausesMax)))
    static let knownFailures = Key(
        "known-failures", "Checks that the server is known to fail",
        .list(of: .map(KnownFailureKeys.table), max: ClauseReader.clausesMax))
    static let profiles = Key(
        "profiles", "How individual servers differ from the dialect, keyed by profile name",
        .entries(.init(.map(profileTable), max: YamlReader.valuesMax, areMerged: true)))

    static let basedOn = Key(
        BaseDialect.key,
        "Base dialect: the name of a built-in one or the path of a file; its settings apply unless set here",
        .text(bytesMax: Setting.textBytesMax))
    static let include = Key(
        DialectInclusion.key,
        "Files with commands, behaviours and other entries that are part of the dialect",
        .list(of: .text(bytesMax: Setting.textBytesMax), max: DialectInclusion.filesMax))

    /// The keys of a dialect file.
    package static let table = KeyTable("dialect", [basedOn, include] + shared + [profiles])

    /// The keys of a profile: those of a dialect except `name`, `based-on`, `include` and
    /// `profiles`.
    static let profileTable = KeyTable("dialect", shared).without(
        [name.key.name], title: "profile")

    private static let shared: [any SettingKey] = [
        name, summary, port, framing, fields, escaping, tolerance, policies, commands, behaviours,
        rejects, ignores, offers, checkedCommands, timing, clauses, knownFailures,
    ]
}
