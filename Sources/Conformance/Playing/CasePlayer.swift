import Diagnostics
import LineProtocol
import Scenario
public import Session
public import Transport

/// What plays a case's program: a `SessionDriver` in earnest, a simulated network in tests.
public protocol CasePlayer: Sendable {
    /// Plays it; there always is a result.
    func play(_ program: Program, options: PlayOptions) async -> Playback
}

/// Plays cases over real sockets.
public struct SocketPlayer: CasePlayer {
    private let driver: SessionDriver
    private let endpoint: Endpoint

    /// A player against a server.
    public init(_ driver: SessionDriver, at endpoint: Endpoint) {
        self.driver = driver
        self.endpoint = endpoint
    }

    /// Plays it; a cancelled task interrupts it.
    public func play(_ program: Program, options: PlayOptions) async -> Playback {
        await driver.play(program, options: options, at: endpoint)
    }
}

/// One play of a case, judged.
struct CaseOutcome: Sendable {
    var play: CheckCase
    var judgement: Judgement
    var result: PlayResult
    var isUnreachable: Bool
    /// What went over the wire as stimulus, as a transcript shows it: `alice → PING x`.
    var sent: [String] = []
    /// What the server did, as a class: see ``CheckResult/measured``.
    var classes: [String] = []
}

/// Plays single cases and judges them.
struct CaseJudge: Sendable {
    let subject: Subject
    let player: any CasePlayer

    /// Plays a case and says what it shows.
    func outcome(
        of play: CheckCase, _ check: Check, seed: UInt64, isStrict: Bool = false
    ) async -> CaseOutcome {
        guard play.steps.contains(where: { $0.role == .stimulus }) else {
            return CaseOutcome(
                play: play, judgement: .inconclusive("the dialect cannot spell what is to be sent"),
                result: PlayResult(outcome: .inconclusive), isUnreachable: false)
        }
        let text = CaseText(play, check: check, subject, isStrict: isStrict)
        do {
            let program = try compiled(text.text)
            let playback = await player.play(
                program,
                options: PlayOptions(
                    segmentation: play.segmentation, variables: subject.variables, seed: seed))
            var evidence = Evidence(
                play, text, playback.result,
                try LineReader(subject.dialect, source: subject.source), subject)
            let judgement = Self.judgement(&evidence)
            return CaseOutcome(
                play: play, judgement: judgement, result: playback.result,
                isUnreachable: playback.isUnreachable, sent: evidence.sent,
                classes: Self.classes(judgement, evidence))
        } catch {
            // A case that a dialect cannot express says nothing about the server.
            let reason = "the case cannot be played: \(error.diagnostics.first?.message ?? "")"
            return CaseOutcome(
                play: play, judgement: .inconclusive(reason),
                result: PlayResult(outcome: .inconclusive), isUnreachable: false)
        }
    }

    private func compiled(_ text: String) throws(Diagnosed) -> Program {
        let file = try ScenarioParser.file(
            from: SourceText(path: "check.chat", bytes: Array(text.utf8)))
        return try ProgramCompiler.compile(
            file, with: subject.dialect, dialectSource: subject.source,
            given: Set(subject.variables.keys))
    }

    /// An observation is a class by itself; what else was judged has the class that the oracles noted.
    private static func classes(_ judgement: Judgement, _ evidence: Evidence) -> [String] {
        switch judgement {
        case .observed(let word): [word]
        case .inconclusive: []
        default: evidence.classes.isEmpty ? [] : [evidence.classes.joined(separator: ", ")]
        }
    }

    /// How the reason begins where nobody could log in, or come where the case is played.
    static let noLogin = "no login"

    /// C: a case whose plain form fails says nothing about the claim.
    private static func judgement(_ evidence: inout Evidence) -> Judgement {
        let message = evidence.result.diagnostic?.message ?? ""
        switch (evidence.result.outcome, evidence.decidingRole) {
        case (.inconclusive, _): return .inconclusive(message)
        case (.failed, .setup): return .inconclusive("\(noLogin): \(message)")
        case (.failed, .control): return .inconclusive("the plain form fails: \(message)")
        case (.failed, nil): return .inconclusive(message)
        default: return evidence.play.judge(&evidence)
        }
    }
}
