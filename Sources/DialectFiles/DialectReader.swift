public import Diagnostics
public import LineProtocol

/// Parser for dialect files.
public enum DialectReader {
    /// The result of reading a dialect file.
    public struct Outcome: Sendable {
        /// The dialect; nil if there is an error.
        public var dialect: Dialect?
        /// Names of the profiles in the file, in order.
        public var profiles: [String]
        /// All diagnostics, in file order.
        public var diagnostics: [Diagnostic]
        /// The source text that the positions of behaviours refer to: the file and, if the dialect
        /// is based on another one, that dialect's file.
        public var source: SourceText
    }

    /// Reads a dialect file and applies the profile unless it is nil. Continues after errors, so
    /// that all of them are reported.
    public static func read(_ source: SourceText, profile: String? = nil) -> Outcome {
        read(source, profile: profile, others: true)
    }

    /// Reads a dialect file. If `others` is false, profiles other than the requested one are listed
    /// but not read. This saves time for files that are known to be correct, because reading a
    /// profile takes as long as reading the dialect.
    static func read(_ source: SourceText, profile: String?, others: Bool) -> Outcome {
        let read: (root: YamlValue, source: SourceText)?
        do throws(Diagnosed) {
            read = try BaseDialect.read(source)
        } catch {
            return Outcome(
                dialect: nil, profiles: [], diagnostics: error.diagnostics, source: source)
        }
        let source = read?.source ?? source
        let problems = Problems(source)
        guard let root = read?.root, let top = Section(root, DialectKeys.table, problems) else {
            if !problems.hasErrors { reportEmpty(problems) }
            return Outcome(
                dialect: nil, profiles: [], diagnostics: problems.list.sorted, source: source)
        }
        let profiles = top[DialectKeys.profiles]?.openSection()?.settings ?? []
        var chosen: Dialect?
        if profile == nil {
            chosen = DialectAssembler(top, problems).dialect
        }
        for overlay in profiles where others || overlay.name == profile {
            let dialect = Self.read(overlay, over: root, problems)
            if overlay.name == profile { chosen = dialect }
        }
        if let profile, !profiles.contains(where: { $0.name == profile }) {
            reportUnknown(profile, profiles, problems)
        }
        return Outcome(
            dialect: problems.hasErrors ? nil : chosen, profiles: profiles.map(\.name),
            diagnostics: problems.list.sorted, source: source)
    }

    /// Reads a dialect file; throws all diagnostics if there is an error.
    public static func dialect(
        from source: SourceText, profile: String? = nil
    ) throws(Diagnosed) -> Dialect {
        let outcome = read(source, profile: profile)
        guard let dialect = outcome.dialect else { throw Diagnosed(outcome.diagnostics) }
        return dialect
    }

    /// Applies a profile to the dialect and reads the result. Returns nil if the profile is
    /// invalid.
    private static func read(
        _ overlay: Setting, over root: YamlValue, _ problems: Problems
    ) -> Dialect? {
        guard isIdentifier(overlay.name) else {
            problems.error(
                .badName, "`\(shortened(overlay.name))` is not a valid profile name",
                at: overlay.key)
            return nil
        }
        guard overlay.section(DialectKeys.profileTable) != nil else { return nil }
        let merged = ProfileOverlay.merged(root, overlay.value)
        let own = Problems(problems.source)
        guard let top = Section(merged, DialectKeys.table, own) else { return nil }
        var dialect = DialectAssembler(top, own).dialect
        dialect?.profile = overlay.name
        problems.take(own)
        return dialect
    }

    private static func reportEmpty(_ problems: Problems) {
        problems.error(
            .empty, "the file is empty", at: SourceRange(start: 0, end: 0),
            help:
                "a dialect starts with `name: …`; `linejudge dialect new` creates a template"
        )
    }

    private static func reportUnknown(
        _ profile: String, _ profiles: [Setting], _ problems: Problems
    ) {
        let names = profiles.map(\.name)
        let suggestion = didYouMean(profile, among: names).map { "did you mean `\($0)`?" }
        let all =
            names.isEmpty ? "the dialect has no profiles" : "profiles: \(listed(names, "and"))"
        problems.error(
            .unknownProfile, "no profile `\(shortened(profile))`",
            at: SourceRange(start: 0, end: 0), help: suggestion ?? all)
    }
}

/// A dialect assembled from the sections of its file.
struct DialectAssembler {
    /// The dialect; nil if the file has errors.
    let dialect: Dialect?

    init(_ top: Section, _ problems: Problems) {
        typealias Keys = DialectKeys
        let name = top.required(Keys.name)
        var framing = FramingReader(top[Keys.framing], problems)
        let fields = FieldsReader(top[Keys.fields], problems)
        if fields.syntax.fromClient.resp { framing.useRESP(top[Keys.framing]) }
        let escaping = EscapingReader.read(
            top[Keys.escaping], framing: framing.framing, syntax: fields.syntax,
            problems: problems)
        let clauses = ClauseReader(problems: problems)
        let cited = clauses.clauses(top[Keys.clauses])
        func arguments(_ direction: Direction) -> ArgumentReader {
            ArgumentReader(
                syntax: fields.syntax[direction],
                argumentsAreKeyed: fields.argumentsAreKeyed[direction], problems: problems)
        }
        let ignoringCase = PerDirection(
            fromClient: fields.syntax.fromClient.ignoresVerbCase,
            fromServer: fields.syntax.fromServer.ignoresVerbCase)
        let commands = CommandsReader(
            top[Keys.commands],
            SignatureReader(
                arguments: PerDirection(
                    fromClient: arguments(.fromClient), fromServer: arguments(.fromServer)),
                framing: framing.framing, clauses: cited,
                problems: problems), ignoringCase: ignoringCase)
        let behaviours = BehaviourReader(
            problems: problems,
            offerKinds: top[Keys.offers]?.openSection()?.settings.map(\.name) ?? [])
        var result = Dialect(name: name ?? "", escaping: escaping.fromClient)
        result.summary = top.value(Keys.summary)
        result.port = top.value(Keys.port)
        result.framing = framing.framing
        result.framing.payloads = commands.payloads(terminated: framing.payloadIsTerminated)
        result.framing.blocks = commands.blocks(fields.syntax)
        result.framing.linePrompts = commands.linePrompts(fields.syntax)
        result.escaping = escaping
        result.syntax = fields.syntax
        for direction in Direction.allCases {
            result.syntax[direction].correlation = commands.correlation(
                fields.syntax.isUniform ? nil : direction)
        }
        result.tolerance = ToleranceReader.tolerance(top[Keys.tolerance])
        let withJSON = Direction.allCases.filter { fields.syntax[$0].json != nil }
        if !withJSON.isEmpty {
            JSONChecks(problems: problems).check(
                top[Keys.framing], framing.framing, withJSON, top[Keys.tolerance],
                result.tolerance)
        }
        result.commands = CommandTable(
            commands.commands.map(\.signature), ignoringCase: ignoringCase)
        result.behaviours = behaviours.behaviours(top[Keys.behaviours])
        result.rejects = behaviours.patterns(top[Keys.rejects], "reject")
        result.ignores = behaviours.patterns(top[Keys.ignores], "ignore")
        result.offers = OfferReader(
            commands: result.commands, behaviours: result.behaviours, problems: problems
        ).offers(top[Keys.offers])
        result.checkedCommands = commands.checked(top[Keys.checkedCommands], problems)
        result.timing = TimingReader.timing(top[Keys.timing])
        result.clauses = cited
        result.policies = PolicyReader.policies(top[Keys.policies], problems)
        result.knownFailures = clauses.knownFailures(top[Keys.knownFailures])
        result.openPolicies = problems.openPolicies
        dialect = problems.hasErrors ? nil : result
    }
}

extension Problems {
    /// Adds the problems found when the same file was read again, without duplicates.
    func take(_ other: Problems) {
        for diagnostic in other.list.diagnostics { add(diagnostic) }
    }
}
