public import Diagnostics
public import LineProtocol

/// Linter for dialect settings that are valid but probably not what you meant: bytes that cannot be
/// escaped, missing behaviours, unreachable commands and unspecified policies.
public enum DialectLint {
    /// Returns the findings for a dialect that was read without errors. If `source` is the
    /// dialect's file, the findings have positions.
    public static func lint(_ dialect: Dialect, source: SourceText? = nil) -> [Diagnostic] {
        var lint = Lint(dialect, DialectPositions(source))
        lint.run()
        return lint.found
    }
}

private struct Lint {
    private let dialect: Dialect
    private let positions: DialectPositions
    private(set) var found: [Diagnostic] = []

    init(_ dialect: Dialect, _ positions: DialectPositions) {
        self.dialect = dialect
        self.positions = positions
    }

    mutating func run() {
        checkBehaviours()
        checkEscaping()
        checkCommands()
        checkTiming()
        checkClauses()
        checkPolicies()
    }

    private mutating func report(
        _ severity: Severity, _ code: DiagnosticCode, _ message: String, at path: String,
        help: String? = nil
    ) {
        var diagnostic = Diagnostic(severity, code, message, at: positions.location(path))
        if let help { diagnostic = diagnostic.help(help) }
        found.append(diagnostic)
    }

    // MARK: Behaviours

    /// Common names for what standard behaviours do.
    private static let synonyms = ["join": "enter", "part": "leave", "quit": "logout"]

    private mutating func checkBehaviours() {
        let behaviours = dialect.behaviours
        if behaviours["probe"] == nil {
            report(
                .warning, .noProbe,
                "no `probe` behaviour: barriers and verdicts have to rely on timeouts",
                at: "behaviours",
                help: "add a command that a working server always answers")
        }
        if behaviours["login"] == nil {
            report(
                .note, .noLogin,
                "no `login` behaviour: operators send messages as soon as they connect",
                at: "behaviours")
        }
        checkPair("relay", "arrival")
        checkPair("say", "heard")
        for name in behaviours.keys.sorted() where !StandardBehaviour.names.contains(name) {
            let synonym = Self.synonyms[name].flatMap { behaviours[$0] == nil ? $0 : nil }
            guard let suggestion = synonym ?? didYouMean(name, among: StandardBehaviour.names)
            else { continue }
            report(
                .warning, .likeStandard,
                "`\(name)` is not one of the behaviours that checks and load tests use",
                at: "behaviours.\(name)", help: "did you mean `\(suggestion)`?")
        }
    }

    private mutating func checkPair(_ send: String, _ receive: String) {
        let behaviours = dialect.behaviours
        if behaviours[send] != nil, behaviours[receive] == nil {
            report(
                .warning, .halfRelay,
                "`\(send)` without `\(receive)`: incoming messages cannot be recognised",
                at: "behaviours.\(send)",
                help: "add `\(receive)` with the line that delivers a message")
        }
        if behaviours[receive] != nil, behaviours[send] == nil {
            report(
                .warning, .halfRelay, "`\(receive)` without `\(send)`: messages cannot be sent",
                at: "behaviours.\(receive)",
                help: "add `\(send)` with the line that sends a message")
        }
    }

    // MARK: Escaping

    private mutating func checkEscaping() {
        let isUniform = dialect.syntax.isUniform && dialect.escaping.isUniform
        if isUniform { return checkEscaping(.fromClient, "escaping", "") }
        checkEscaping(.fromClient, "escaping.client", " from a client")
        checkEscaping(.fromServer, "escaping.server", " from a server")
    }

    /// Checks the escaping of one direction.
    ///
    /// - Parameter sender: words that follow the name of a position in messages.
    private mutating func checkEscaping(_ direction: Direction, _ path: String, _ sender: String) {
        let syntax = dialect.syntax[direction]
        let escaping = dialect.escaping[direction]
        let significant = SignificantBytes(dialect.framing, syntax)
        var rules: [(name: String, rule: EscapeRule, position: SignificantBytes.Position)] = []
        if syntax.keyValue == nil {
            rules.append(("field", escaping.field, .field))
        } else {
            rules.append(("value", escaping.value, .value))
        }
        if syntax.trailingMarker != nil {
            rules.append(("trailing", escaping.trailing, .trailing))
        }
        if syntax.tags != nil { rules.append(("tag", escaping.tagValue, .tag)) }
        for (name, rule, position) in rules {
            let what = name == "trailing" ? "the trailing field" : "a \(name)"
            checkRule(
                rule, "\(path).\(name)", significant.bytes(position).bytes, what + sender,
                runs: syntax.separatorRuns)
        }
    }

    private mutating func checkRule(
        _ rule: EscapeRule, _ path: String, _ needed: [UInt8], _ what: String, runs: Bool
    ) {
        var unencodable: [UInt8] = []
        var isTable = false
        switch rule {
        case .none(let forbidden): unencodable = needed.filter(forbidden.contains)
        case .doubling(_, let forbidden):
            unencodable = needed.filter(forbidden.contains)
            if !runs {
                report(
                    .warning, .unspellable,
                    "two separators around an empty field are read as an escaped separator",
                    at: path)
            }
        case .table(let table):
            isTable = true
            unencodable = needed.filter(table.forbidden.contains)
        case .percent, .quotes, .json: break
        }
        guard !unencodable.isEmpty else { return }
        let shown = unencodable.map(ByteName.shown).joined(separator: ", ")
        report(
            isTable ? .warning : .note, .unspellable,
            "\(what) cannot contain \(shown): values that contain them cannot be sent", at: path,
            help: isTable ? "add each of these bytes to `letters`" : nil)
    }

    // MARK: Commands

    private mutating func checkCommands() {
        let signatures = dialect.commands.signatures
        if signatures.isEmpty {
            report(.warning, .noCommands, "the dialect has no commands", at: "commands")
        }
        for (index, signature) in signatures.enumerated() {
            if let reason = unreachable(signature, before: signatures[..<index]) {
                report(
                    .warning, .unreachable, "`\(signature.name)` is unreachable: \(reason)",
                    at: "commands.\(signature.name)")
            }
        }
        guard case .closingStatus(let verb, _) = dialect.framing.grouping,
            dialect.commands.command(verb.span, 0..<verb.count, .fromServer) == nil
        else { return }
        report(
            .warning, .unreachable,
            "answers end with `\(shortened(String(decoding: verb, as: UTF8.self)))`, which is not a server command",
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
            return cover.map { "`\($0.name)` already matches all commands with this prefix" }
        case .exact(let bytes):
            let isMistaken = Direction.allCases.contains { direction in
                let syntax = dialect.syntax[direction]
                return signature.direction.allows(direction) && syntax.verb == .firstUnlessKeyValue
                    && bytes.contains { $0 == syntax.keyValue?.assignment }
            }
            guard isMistaken else { return nil }
            return "if a line starts with `key=value`, that field is not parsed as a command"
        case .digits, .none, .prompted: return nil
        }
    }

    // MARK: Timing, clauses and policies

    private mutating func checkTiming() {
        let timing = dialect.timing
        if timing.keepaliveInterval != nil, dialect.behaviours["keepalive"] == nil {
            report(
                .warning, .noKeepalive,
                "a keepalive interval is set, but there is no `keepalive` behaviour",
                at: "timing.keepalive", help: "add it under `behaviours:`")
        }
        if let expires = timing.expiresAfter, let interval = timing.keepaliveInterval,
            interval >= expires
        {
            report(
                .warning, .lateKeepalive, "sessions expire before the next keepalive",
                at: "timing.keepalive")
        }
    }

    private mutating func checkClauses() {
        let cited = Set(dialect.commands.signatures.compactMap(\.clause))
        for clause in dialect.clauses where clause.rules.isEmpty && !cited.contains(clause.id) {
            report(
                .note, .unusedClause, "clause `\(clause.id)` is never cited",
                at: "clauses.\(clause.id)",
                help: "list the settings it applies to, such as `for: [framing.accept]`")
        }
        for id in cited.sorted() where dialect.clause(id) == nil {
            report(
                .error, .unknownClause, "no clause with id `\(shortened(id))`", at: "clauses")
        }
    }

    private mutating func checkPolicies() {
        let open = dialect.openPolicies
        guard !open.isEmpty else { return }
        let count =
            open.count == 1 ? "one policy is unspecified" : "\(open.count) policies are unspecified"
        report(
            .note, .openPolicy,
            "\(count) (\(open.joined(separator: ", "))); `check` reports what the server does",
            at: "policies",
            help: dialect.profile == nil
                ? "set them in the dialect, or in a profile for one server" : nil)
    }
}
