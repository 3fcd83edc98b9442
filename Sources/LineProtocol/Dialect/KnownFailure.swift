/// A check that a server is known to fail.
public struct KnownFailure: Sendable, Equatable {
    /// The ID of the check, such as `frame.nul`, or the first part of several IDs, such as `frame`.
    public var check: String
    /// The affected versions, such as `<27`; nil for all.
    public var versions: String?
    /// The last day the failure counts as known, such as `2027-06-30`; nil if it never expires.
    public var until: String?
    /// The reason, which is shown in reports.
    public var reason: String

    /// Creates a known failure.
    public init(check: String, versions: String? = nil, until: String? = nil, reason: String) {
        self.check = check
        self.versions = versions
        self.until = until
        self.reason = reason
    }
}
