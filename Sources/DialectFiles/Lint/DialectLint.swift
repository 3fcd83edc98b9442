public import Diagnostics
public import LineProtocol

/// Tells what a dialect allows but hardly means: placeholders in its escaping, behaviours that are missing,
/// commands that are never found, policies that are still open.
public enum DialectLint {
    /// What is to be said of a dialect that reads without an error.
    ///
    /// - Parameter source: the file that it comes from, to point into.
    public static func lint(_ dialect: Dialect, source: SourceText? = nil) -> [Diagnostic] {
        var lint = Lint(dialect, DialectPositions(source))
        lint.run()
        return lint.found
    }
}

private struct Lint {
    private let dialect: Dialect
    private let places: DialectPositions
    private(set) var found: [Diagnostic] = []

    init(_ dialect: Dialect, _ places: DialectPositions) {
        self.dialect = dialect
        self.places = places
    }

    mutating func run() {
        checkBehaviours()
        checkEscaping()
        checkCommands()
        checkTiming()
        checkClauses()
        checkPolicies()
    }

    private mutating func tell(
        _ severity: Severity, _ code: DiagnosticCode, _ message: String, at path: String,
        help: String? = nil
    ) {
        var diagnostic = Diagnostic(severity, code, message, at: places.location(path))
        if let help { diagnostic = diagnostic.help(help) }
        found.append(diagnostic)
    }

    // MARK: Behaviours

    private mutating func checkBehaviours() {
        let behaviours = dialect.behaviours
        if behaviours["probe"] == nil {
            tell(
                .warning, .noProbe,
                "there is no `probe`: fences fall back to silence, and verdicts to timing",
                at: "behaviours",
                help: "state a command that a live server always answers")
        }
        if behaviours["login"] == nil {
            tell(
                .note, .noLogin, "there is no `login`: operators talk as soon as they connect",
                at: "behaviours")
        }
        checkPair("relay", "arrival")
        checkPair("say", "heard")
        for name in behaviours.keys.sorted() where !StandardBehaviour.names.contains(name) {
            guard let meant = didYouMean(name, among: StandardBehaviour.names) else { continue }
            tell(
                .warning, .likeStandard,
                "`\(name)` is not one of the behaviours that checks and loads use",
                at: "behaviours.\(name)", help: "did you mean `\(meant)`?")
        }
    }

    private mutating func checkPair(_ send: String, _ receive: String) {
        let behaviours = dialect.behaviours
        if behaviours[send] != nil, behaviours[receive] == nil {
            tell(
                .warning, .halfRelay, "`\(send)` without `\(receive)`: no text could be awaited",
                at: "behaviours.\(send)", help: "state how the text arrives")
        }
        if behaviours[receive] != nil, behaviours[send] == nil {
            tell(
                .warning, .halfRelay, "`\(receive)` without `\(send)`: no text is ever sent",
                at: "behaviours.\(receive)", help: "state how the text is sent")
        }
    }

    // MARK: Escaping

    private mutating func checkEscaping() {
        let needs = EscapingNeeds(dialect.framing, dialect.syntax)
        var rules: [(name: String, rule: EscapeRule, place: EscapingNeeds.Place)] = []
        if dialect.syntax.keyValue == nil {
            rules.append(("field", dialect.escaping.field, .field))
        } else {
            rules.append(("value", dialect.escaping.value, .value))
        }
        if dialect.syntax.trailingMarker != nil {
            rules.append(("trailing", dialect.escaping.trailing, .trailing))
        }
        if dialect.syntax.tags != nil { rules.append(("tag", dialect.escaping.tagValue, .tag)) }
        for (name, rule, place) in rules {
            checkRule(rule, "escaping.\(name)", needs.bytes(place).bytes, name)
        }
    }

    private mutating func checkRule(
        _ rule: EscapeRule, _ path: String, _ needed: [UInt8], _ place: String
    ) {
        var placeholders: [UInt8] = []
        var isTable = false
        switch rule {
        case .none(let forbidden): placeholders = needed.filter(forbidden.contains)
        case .doubling(_, let forbidden):
            placeholders = needed.filter(forbidden.contains)
            if !dialect.syntax.separatorRuns {
                tell(
                    .warning, .unspellable,
                    "an empty field between doubled separators reads as one separator in a text",
                    at: path)
            }
        case .table(let table):
            isTable = true
            placeholders = needed.filter(table.forbidden.contains)
        case .percent, .quotes: break
        }
        guard !placeholders.isEmpty else { return }
        let shown = placeholders.map(ByteName.shown).joined(separator: ", ")
        let what = place == "trailing" ? "the trailing field" : "a \(place)"
        tell(
            isTable ? .warning : .note, .unspellable,
            "\(what) cannot hold \(shown): such values are refused", at: path,
            help: isTable ? "give each a letter" : nil)
    }

    // MARK: Commands

    private mutating func checkCommands() {
        let signatures = dialect.commands.signatures
        if signatures.isEmpty {
            tell(.warning, .noCommands, "the dialect has no commands", at: "commands")
        }
        for (place, signature) in signatures.enumerated() {
            if let reason = unreachable(signature, before: signatures[..<place]) {
                tell(
                    .warning, .unreachable, "`\(signature.name)` is never found: \(reason)",
                    at: "commands.\(signature.name)")
            }
        }
        guard case .closingStatus(let verb, _) = dialect.framing.grouping,
            dialect.commands.command(verb.span, 0..<verb.count, .fromServer) == nil
        else { return }
        tell(
            .warning, .unreachable,
            "answers close with `\(shortened(String(decoding: verb, as: UTF8.self)))`, which is no command from the server",
            at: "framing.grouping.closing")
    }

    private func unreachable(
        _ signature: CommandSignature, before earlier: ArraySlice<CommandSignature>
    ) -> String? {
        switch signature.wire {
        case .prefix(let bytes):
            let cover = earlier.first {
                guard case .prefix(let other) = $0.wire, $0.direction == signature.direction else {
                    return false
                }
                return bytes.starts(with: other)
            }
            return cover.map { "`\($0.name)` takes all that starts like it" }
        case .exact(let bytes):
            guard dialect.syntax.verb == .firstUnlessKeyValue,
                let keyValue = dialect.syntax.keyValue, bytes.contains(keyValue.assignment)
            else { return nil }
            return "a line that starts with `key=value` has no command"
        case .digits, .none: return nil
        }
    }

    // MARK: The rest

    private mutating func checkTiming() {
        let timing = dialect.timing
        if timing.keepaliveInterval != nil, dialect.behaviours["keepalive"] == nil {
            tell(
                .warning, .noKeepalive, "an interval, but no `keepalive` to be played",
                at: "timing.keepalive", help: "state it under `behaviours:`")
        }
        if let expires = timing.expiresAfter, let interval = timing.keepaliveInterval,
            interval >= expires
        {
            tell(
                .warning, .lateKeepalive, "a session expires before its next keepalive",
                at: "timing.keepalive")
        }
    }

    private mutating func checkClauses() {
        let cited = Set(dialect.commands.signatures.compactMap(\.clause))
        for clause in dialect.clauses where clause.rules.isEmpty && !cited.contains(clause.id) {
            tell(
                .note, .unusedClause, "nothing cites the clause `\(clause.id)`",
                at: "clauses.\(clause.id)",
                help: "name the settings that follow from it: `for: [framing.accept]`")
        }
        for id in cited.sorted() where dialect.clause(id) == nil {
            tell(
                .error, .unknownClause, "no clause has the id `\(shortened(id))`", at: "clauses")
        }
    }

    private mutating func checkPolicies() {
        let open = dialect.openPolicies
        guard !open.isEmpty else { return }
        let count = open.count == 1 ? "one policy is open" : "\(open.count) policies are open"
        tell(
            .note, .openPolicy,
            "\(count), to be measured and not presumed: \(open.joined(separator: ", "))",
            at: "policies",
            help: dialect.profile == nil ? "a profile for one software can answer them" : nil)
    }
}
