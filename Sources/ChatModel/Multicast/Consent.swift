/// Result of a question: no if any listener objects; yes if none objects or none is asked.
public struct Consent: Sendable, Hashable {
    /// Treatment of a listener that does not answer in time.
    public enum Silence: Sendable, Hashable {
        case countsAsNo
        case countsAsYes
    }

    /// True if the listeners agree.
    public internal(set) var isYes = true
    /// Name of the listener that answered no; nil if none did. A no ends the wait for the other
    /// listeners.
    public internal(set) var objector: String?
    /// Names of the listeners that had not answered when time ran out.
    public internal(set) var silent: [String] = []
    /// Number of listeners asked.
    public internal(set) var askedCount = 0

    /// Creates the result of asking no listeners: yes.
    public init() {}

    init(isYes: Bool, objector: String?, silent: [String], askedCount: Int) {
        self.isYes = isYes
        self.objector = objector
        self.silent = silent
        self.askedCount = askedCount
    }
}
