/// What came of a question: any no is a no, and where nobody is asked, it is a yes.
public struct Consent: Sendable, Hashable {
    /// What a listener that does not answer in time counts as.
    public enum Silence: Sendable, Hashable {
        case countsAsNo
        case countsAsYes
    }

    /// The answer.
    public internal(set) var isYes = true
    /// The name of the listener that said no, if one did. The others are not waited for then.
    public internal(set) var objector: String?
    /// The names of those who had not answered when the time was over.
    public internal(set) var silent: [String] = []
    /// How many were asked.
    public internal(set) var askedCount = 0

    /// What comes of asking nobody: a yes.
    public init() {}

    init(isYes: Bool, objector: String?, silent: [String], askedCount: Int) {
        self.isYes = isYes
        self.objector = objector
        self.silent = silent
        self.askedCount = askedCount
    }
}
