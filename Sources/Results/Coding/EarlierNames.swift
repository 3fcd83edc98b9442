/// Identifiers that were renamed. Files from earlier versions contain the earlier names, which are
/// replaced when such a file is read.
enum EarlierNames {
    /// Current kinds of findings, by earlier name. If a scripted step fails, the kind of the
    /// finding is the last part of the diagnostic code.
    private static let findingKinds = [
        "closed-otherwise": "wrong-close", "taken": "accepted", "twins-unsteady": "pair-unstable",
        "unended": "unfinished", "unsaid": "no-reason", "untold": "not-notified",
    ]

    /// Current outcomes of the steps of a rate search, by earlier name.
    private static let searchOutcomes = [
        "broke": "failed", "held": "passed", "undecided": "inconclusive",
    ]

    /// Returns the current name of the outcome of a step of a rate search.
    static func searchOutcome(_ name: String) -> String { searchOutcomes[name] ?? name }

    /// Current diagnostic codes, by earlier code.
    private static let codes = [
        "run.closed-otherwise": "run.wrong-close",
        "run.twins-unsteady": "run.pair-unstable",
        "scenario.almost-clause": "scenario.almost-modifier",
        "scenario.bad-hole": "scenario.bad-placeholder",
        "scenario.clocked-negative": "scenario.fixed-wait",
        "scenario.hole-in-key": "scenario.placeholder-in-key",
        "scenario.misplaced-clause": "scenario.misplaced-modifier",
        "scenario.misplaced-hole": "scenario.misplaced-placeholder",
        "scenario.unclosed-hole": "scenario.unclosed-placeholder",
    ]

    /// Returns the current form of a diagnostic code.
    static func code(_ word: String) -> String { codes[word] ?? word }

    /// Current IDs of checks, by earlier ID.
    private static let checkIDs = ["live.pong:unasked": "live.pong:unsolicited"]

    /// Returns the current ID of a check.
    static func checkID(_ text: String) -> String { checkIDs[text] ?? text }

    /// Returns the current name of a finding's kind.
    static func findingKind(_ name: String) -> String { findingKinds[name] ?? name }
}
