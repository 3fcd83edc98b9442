/// Result of a question: yes unless a listener answered no, or did not answer in time and its
/// silence counts as no.
public struct Consent: Sendable, Hashable {
    /// The assumed answer of a listener that does not answer in time.
    public enum Silence: Sendable, Hashable {
        case countsAsNo
        case countsAsYes
    }

    /// True if the answer is yes.
    public internal(set) var isYes = true
    /// Name of the listener that answered no; nil if none did. The first no ends the wait for the
    /// other listeners.
    public internal(set) var objector: String?
    /// Names of the listeners that had not answered when time ran out.
    public internal(set) var silent: [String] = []
    /// Number of listeners asked.
    public internal(set) var askedCount = 0

    /// Creates the result of a question that no listener was asked, which is yes.
    public init() {}

    init(isYes: Bool, objector: String?, silent: [String], askedCount: Int) {
        self.isYes = isYes
        self.objector = objector
        self.silent = silent
        self.askedCount = askedCount
    }
}
