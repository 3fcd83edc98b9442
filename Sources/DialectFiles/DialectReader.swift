public import Diagnostics
public import LineProtocol

/// Reads dialect files.
public enum DialectReader {
    /// The keys of a dialect file.
    static let keys = [
        "name", "summary", "port", "framing", "fields", "escaping", "tolerance", "policies",
        "commands", "behaviours", "rejects", "ignores", "timing", "clauses", "known-failures",
        "profiles",
    ]

    /// What was read of a file.
    public struct Outcome: Sendable {
        /// The dialect; nil if there is an error.
        public var dialect: Dialect?
        /// The names of the profiles that the file has, in its order.
        public var profiles: [String]
        /// Everything that is wrong, in the order of the text.
        public var diagnostics: [Diagnostic]
    }

    /// Reads a dialect file, going on after errors.
    ///
    /// - Parameter profile: the profile to be laid over it, or nil.
    public static func read(_ source: SourceText, profile: String? = nil) -> Outcome {
        read(source, profile: profile, others: true)
    }

    /// The same; without `others`, the profiles that are not asked for are only named. That is for files
    /// of which it is known that nothing is wrong with them: each profile takes as long as the dialect.
    static func read(_ source: SourceText, profile: String?, others: Bool) -> Outcome {
        let root: YamlValue?
        do throws(Diagnosed) {
            root = try YamlReader.read(source)
        } catch {
            return Outcome(dialect: nil, profiles: [], diagnostics: error.diagnostics)
        }
        let problems = Problems(source)
        guard let root, let top = Section(root, keys: keys, problems) else {
            if !problems.hasErrors { tellEmpty(problems) }
            return Outcome(dialect: nil, profiles: [], diagnostics: problems.list.sorted)
        }
        let profiles = top["profiles"]?.openSection()?.settings ?? []
        var chosen: Dialect?
        if profile == nil {
            chosen = DialectAssembler(top, problems).dialect
        }
        for overlay in profiles where others || overlay.name == profile {
            let dialect = read(overlay, over: root, problems)
            if overlay.name == profile { chosen = dialect }
        }
        if let profile, !profiles.contains(where: { $0.name == profile }) {
            tellUnknown(profile, profiles, problems)
        }
        return Outcome(
            dialect: problems.hasErrors ? nil : chosen, profiles: profiles.map(\.name),
            diagnostics: problems.list.sorted)
    }

    /// Reads a dialect file, or throws everything that is wrong with it.
    public static func dialect(
        from source: SourceText, profile: String? = nil
    ) throws(Diagnosed) -> Dialect {
        let outcome = read(source, profile: profile)
        guard let dialect = outcome.dialect else { throw Diagnosed(outcome.diagnostics) }
        return dialect
    }

    /// Reads the dialect with a profile laid over it. Every profile is read whichever is chosen, so
    /// that a mistake in one does not wait for its first user.
    private static func read(
        _ overlay: Setting, over root: YamlValue, _ problems: Problems
    ) -> Dialect? {
        guard isIdentifier(overlay.name) else {
            problems.error(
                .badName, "`\(shortened(overlay.name))` is not a profile's name",
                at: overlay.key)
            return nil
        }
        guard overlay.section(ProfileOverlay.keys) != nil else { return nil }
        let merged = ProfileOverlay.merged(root, overlay.value)
        let own = Problems(problems.source)
        guard let top = Section(merged, keys: keys, own) else { return nil }
        var dialect = DialectAssembler(top, own).dialect
        dialect?.profile = overlay.name
        problems.take(own)
        return dialect
    }

    private static func tellEmpty(_ problems: Problems) {
        problems.error(
            .empty, "the file is empty", at: SourceRange(start: 0, end: 0),
            help:
                "a dialect starts with `name: …`; `linejudge dialect new` writes one to begin with"
        )
    }

    private static func tellUnknown(
        _ profile: String, _ profiles: [Setting], _ problems: Problems
    ) {
        let names = profiles.map(\.name)
        let meant = didYouMean(profile, among: names).map { "did you mean `\($0)`?" }
        let all = names.isEmpty ? "the dialect has none" : "profiles: \(listed(names, "and"))"
        problems.error(
            .unknownProfile, "no profile `\(shortened(profile))`",
            at: SourceRange(start: 0, end: 0), help: meant ?? all)
    }
}

/// Puts a dialect together from the sections of its file.
struct DialectAssembler {
    /// Nil if the file has errors.
    let dialect: Dialect?

    init(_ top: Section, _ problems: Problems) {
        let name = top.required("name", "write `name: …` as the first line")?
            .identifier("a dialect's name")
        let framing = FramingReader(top["framing"], problems)
        let fields = FieldsReader(top["fields"], problems)
        let escaping = EscapingReader(
            top["escaping"], framing.framing, fields.syntax, problems)
        let clauses = ClauseReader(problems: problems)
        let cited = clauses.clauses(top["clauses"])
        let arguments = ArgumentReader(
            syntax: fields.syntax, argumentsAreKeyed: fields.argumentsAreKeyed,
            problems: problems)
        let ignoringCase = fields.syntax.verbCase == .insensitive
        let commands = CommandsReader(
            top["commands"],
            CommandReader(
                arguments: arguments, framing: framing.framing, clauses: cited,
                problems: problems), ignoringCase: ignoringCase)
        let behaviours = BehaviourReader(problems: problems)
        var result = Dialect(name: name ?? "", escaping: escaping.escaping)
        result.summary = top["summary"]?.text(bytesMax: 400) ?? ""
        result.port = top["port"]?.number(in: 1...65_535)
        result.framing = framing.framing
        result.framing.payloads = commands.payloads(terminated: framing.payloadIsTerminated)
        result.framing.blocks = commands.blocks
        result.syntax = fields.syntax
        result.syntax.correlation = commands.correlation()
        result.tolerance = ToleranceReader.tolerance(top["tolerance"])
        result.commands = CommandTable(
            commands.commands.map(\.signature), ignoringCase: ignoringCase)
        result.behaviours = behaviours.behaviours(top["behaviours"])
        result.rejects = behaviours.patterns(top["rejects"], "reject")
        result.ignores = behaviours.patterns(top["ignores"], "ignore")
        result.timing = TimingReader.timing(top["timing"])
        result.clauses = cited
        result.policies = PolicyReader.policies(top["policies"], problems)
        result.knownFailures = clauses.knownFailures(top["known-failures"])
        result.openPolicies = problems.openPolicies
        dialect = problems.hasErrors ? nil : result
    }
}

extension Problems {
    /// Takes what another reading of the same file found, unless it is known already.
    func take(_ other: Problems) {
        for diagnostic in other.list.diagnostics { add(diagnostic) }
    }
}
