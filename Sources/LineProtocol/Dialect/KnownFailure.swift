/// A check that some software is known to fail: data, so that the failure is told as known.
public struct KnownFailure: Sendable, Equatable {
    /// The check's id, or the start of ids up to a dot (`frame`, `frame.nul`).
    public var check: String
    /// The versions that fail, such as `<27`; nil for all.
    public var versions: String?
    /// The last day, `2027-06-30`, on which it is taken as known; nil for ever.
    public var until: String?
    /// Why.
    public var reason: String

    /// A value from its parts.
    public init(check: String, versions: String? = nil, until: String? = nil, reason: String) {
        self.check = check
        self.versions = versions
        self.until = until
        self.reason = reason
    }
}
