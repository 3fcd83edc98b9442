/// Identifiers that were renamed. Files from earlier versions contain the earlier names, which are
/// replaced when such a file is read.
enum EarlierNames {
    /// Current kinds of findings, by earlier name.
    private static let findingKinds = [
        "taken": "accepted", "unended": "unfinished", "unsaid": "no-reason",
        "untold": "not-notified",
    ]

    /// Current IDs of checks, by earlier ID.
    private static let checkIDs = ["live.pong:unasked": "live.pong:unsolicited"]

    /// Returns the current ID of a check.
    static func checkID(_ text: String) -> String { checkIDs[text] ?? text }

    /// Returns the current name of a finding's kind.
    static func findingKind(_ name: String) -> String { findingKinds[name] ?? name }
}
