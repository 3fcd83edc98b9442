import LineProtocol
import Results

/// Check results with every verdict and every feature of the reports.
enum CheckSample {
    static let results: CheckResults = {
        var results = CheckResults(
            toolVersion: "0.1.0", seed: 7, dialect: "irc+ngircd",
            endpoint: "tcp://127.0.0.1:6667", software: "ngircd 26.1", startedAt: 1_790_000_000,
            duration: 83_210_000_000)
        results.checks =
            few + [
                terminator, segments, flaky, late, undecided, open("within", "cut"),
                open("over", "cut"), known, hostile,
                CheckResult(
                    CheckID("half.close"), .skipped, reason: "the dialect has no probe"),
            ]
        results.commandTable = SchemaSample.report
        return results
    }()

    /// No results, as after an immediate interruption.
    static let interrupted: CheckResults = {
        var results = Self.results
        results.checks = []
        results.commandTable = nil
        results.duration = 40_000_000
        results.interruption = "interrupted"
        return results
    }()

    /// Three servers: the second differs in one check and is inconclusive in another, the third has another dialect
    /// and a failure of its own.
    static let matrix: CheckMatrix = {
        var second = Self.results
        second.software = "inspircd 3.15.0"
        second.checks[0].classes = ["ignore"]
        second.checks[1].verdict = .inconclusive
        second.checks[1].finding = nil
        second.checks[1].reason = "no login: <b>&"
        var third = Self.results
        third.software = nil
        third.dialect = "irc"
        third.checks.removeLast(3)
        third.checks[2].verdict = .failed
        third.checks[2].finding = Finding("wedged", expected: "an answer", got: "none")
        return CheckMatrix([
            CheckMatrix.Server("ngircd", Self.results), CheckMatrix.Server("inspircd", second),
            CheckMatrix.Server("a third one with a name that is long", third),
        ])
    }()

    /// Baseline of an earlier version: one check differs, one varies, one is inconclusive, one is missing now.
    static let baseline = CheckBaseline(
        dialect: "irc+ngircd", server: "ngircd 25", seed: 7, toolVersion: "0.1.0",
        entries: [
            CheckBaseline.Entry(CheckID("arity.few", "JOIN"), CheckClass("refuse")),
            CheckBaseline.Entry(CheckID("arity.few", "PART"), CheckClass("fails (closed)")),
            CheckBaseline.Entry(CheckID("frame.max", "over"), CheckClass("cut | drop")),
            CheckBaseline.Entry(CheckID("frame.max", "within"), CheckClass("inconclusive")),
            CheckBaseline.Entry(CheckID("frame.seg"), CheckClass("fails (split)")),
            CheckBaseline.Entry(CheckID("frame.old"), CheckClass("pass")),
        ])

    private static func check(
        _ rule: String, _ parameter: String? = nil, _ verdict: Verdict, _ claim: String,
        basis: String = "", reason: String = ""
    ) -> CheckResult {
        var check = CheckResult(CheckID(rule, parameter), verdict, reason: reason)
        check.claim = claim
        check.basis = basis
        check.casesRun = 1
        check.duration = 12_300_000
        return check
    }

    /// A rule with several checks, one of which failed and cites a clause.
    private static var few: [CheckResult] {
        var checks = ["JOIN", "PART", "PRIVMSG"].map { (name: String) in
            check(
                "arity.few", name, .passed, "\(name) with too few arguments is refused",
                basis: "tolerance.too-few: reject")
        }
        checks[1].verdict = .failed
        checks[1].clause = Clause(
            id: "few", document: "RFC 1459", section: "6.1",
            quote: "Returned by the server to indicate that the client didn't supply enough.",
            level: .must, rules: ["tolerance.too-few"])
        checks[1].level = .must
        checks[1].caseTitle = "with 0 arguments"
        checks[1].stimulus = ["alice → PART", "alice → PING x"]
        checks[1].finding = Finding(
            "closed", expected: "one of 461, before the probe's answer",
            got: "the server closed the connection (FIN)")
        checks[1].reason = "the server closed the connection (FIN)"
        checks[1].rate = FailureRate(runs: 4, failures: 4)
        checks[1].scenario = "dialect irc+ngircd\n\nalice <-> login\n"
        checks[1].scenarioPath = "failures/arity.few-PART.chat"
        checks[1].basisLocation = BasisLocation(
            file: "dialects/my irc.yaml", line: 12, column: 3, endColumn: 10)
        checks[1].transcript = [
            TranscriptEntry(time: 0, operatorName: "alice", kind: .connected),
            TranscriptEntry(
                time: 1_200_000, operatorName: "alice", kind: .sent, bytes: Array("PART".utf8),
                terminator: [13, 10], line: 4),
            TranscriptEntry(
                time: 2_400_000, operatorName: "alice", kind: .received,
                bytes: Array("ERROR :<bye>".utf8) + [0xFF], terminator: [13, 10]),
            TranscriptEntry(time: 2_500_000, operatorName: "alice", kind: .closedByPeer),
        ]
        return checks
    }

    /// A failure based on the dialect alone, decided by a timeout, with more sent lines than are shown.
    private static var terminator: CheckResult {
        var check = check(
            "frame.term", "LF", .failed, "a line may end with LF", basis: "framing.accept: LF")
        check.stimulus = (1...10).map { "alice → line \($0)" }
        check.finding = Finding("lost", expected: "bob receives the text", got: "nothing received")
        check.reason = "nothing received"
        check.isTimingBased = true
        return check
    }

    /// A robustness failure that depends on segmentation.
    private static var segments: CheckResult {
        var check = check(
            "frame.seg", nil, .failed, "segmentation does not matter", basis: "framing")
        check.level = .robustness
        check.segmentation = .byte
        check.stimulus = ["alice → PRIVMSG #a :text1"]
        check.finding = Finding("split", expected: "\"text1\"", got: "\"te\", \"xt1\"")
        check.rate = FailureRate(runs: 4, failures: 4)
        check.scenarioPath = "failures/frame.seg.chat"
        return check
    }

    private static var flaky: CheckResult {
        var check = check(
            "pipe.order", nil, .flaky, "messages in one write arrive in order",
            basis: "framing")
        check.level = .robustness
        check.finding = Finding("reordered", expected: "1, 2, 3", got: "1, 3, 2")
        check.rate = FailureRate(runs: 21, failures: 4)
        return check
    }

    private static var late: CheckResult {
        check(
            "cmd.unknown", "with arguments", .delayed, "an unknown command is refused",
            basis: "policies.unknown-command: reject", reason: "answered after 2.1 s")
    }

    private static var undecided: CheckResult {
        check(
            "frame.empty", nil, .inconclusive, "empty lines are ignored",
            basis: "framing.empty-lines: ignore", reason: "no login: the server closed")
    }

    private static func open(_ subject: String, _ word: String) -> CheckResult {
        var check = check(
            "frame.max", subject, .observed, "a long line does not wedge the session",
            basis: "framing.overflow: ?", reason: word)
        check.classes = [word]
        check.reason = check.observedWords
        return check
    }

    private static var known: CheckResult {
        check(
            "cmd.case", nil, .knownFailure, "PRIVMSG and privmsg are the same",
            basis: "fields.verb-case: insensitive", reason: "changed in version 26")
    }

    /// A finding with terminal control sequences.
    private static var hostile: CheckResult {
        var check = check(
            "arity.extra", "JOIN", .failed, "surplus arguments are dropped",
            basis: "tolerance.too-many: drop")
        check.level = .may
        check.finding = Finding(
            "refused", expected: "bob receives the text", got: "\u{1B}[2J\u{202E}<b>&\"\r\n\u{7}")
        return check
    }
}
