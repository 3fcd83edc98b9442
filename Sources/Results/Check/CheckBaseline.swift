/// Recorded behaviour of a server in each check. Later runs are compared with it, so no
/// specification is needed.
package struct CheckBaseline: Sendable, Hashable {
    package static let format = "linejudge.baseline/1"
    /// Former format name, which is still accepted.
    package static let earlierFormat = "linejudge.lock/1"
    package static let checksMax = 10_000
    /// Maximum size of a baseline file, in bytes.
    package static let bytesMax = 4 << 20

    /// A baseline entry: a check and the server's recorded behaviour.
    package struct Entry: Sendable, Hashable {
        package var id: CheckID
        package var measured: CheckClass
        /// The unspecified dialect setting whose value this check determines, such as
        /// `policies.nul`; nil if there is none.
        package var open: String?

        package init(_ id: CheckID, _ measured: CheckClass, open: String? = nil) {
            self.id = id
            self.measured = measured
            self.open = open
        }
    }

    /// Name of the dialect, as given by the user.
    package var dialect: String
    /// Name and version of the server software, or the server's name if unknown.
    package var server: String
    package var seed: UInt64
    package var toolVersion: String
    /// The checks, sorted by ID.
    package private(set) var entries: [Entry]

    package init(
        dialect: String, server: String, seed: UInt64, toolVersion: String, entries: [Entry]
    ) {
        self.dialect = dialect
        self.server = server
        self.seed = seed
        self.toolVersion = toolVersion
        self.entries = entries.sorted { $0.id < $1.id }
    }

    /// Creates a baseline from the results of all checks that apply to the dialect.
    ///
    /// - Parameter server: Name of the server, used if its software is unknown.
    package init(_ results: CheckResults, server: String? = nil) {
        self.init(
            dialect: results.dialect, server: results.software ?? server ?? results.endpoint,
            seed: results.seed, toolVersion: results.toolVersion,
            entries: results.checks.filter { $0.verdict != .skipped }.map { check in
                Entry(check.id, check.measured, open: Self.openSetting(check))
            })
    }

    /// Returns the entry of a check; nil if there is none.
    package subscript(_ id: CheckID) -> Entry? {
        // With at most `checksMax` entries, a linear search is fast enough.
        entries.first { $0.id == id }
    }

    /// Removes all entries except those that satisfy `isKept`.
    mutating func keep(_ isKept: (CheckID) -> Bool) { entries.removeAll { !isKept($0.id) } }

    private static func openSetting(_ check: CheckResult) -> String? {
        check.basis.hasSuffix(": ?") ? String(check.basis.dropLast(3)) : nil
    }
}
