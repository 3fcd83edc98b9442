/// Recorded behaviour of a server for each check. Later runs are compared with it, and no
/// specification is needed.
package struct CheckBaseline: Sendable, Hashable {
    package static let format = "linejudge.baseline/1"
    /// The earlier name of the format, which is still read.
    package static let earlierFormat = "linejudge.lock/1"
    package static let checksMax = 10_000
    /// The maximum size of a baseline file in bytes.
    package static let bytesMax = 4 << 20

    /// A check and its recorded behaviour.
    package struct Entry: Sendable, Hashable {
        package var id: CheckID
        package var measured: CheckClass
        /// The unspecified dialect setting that this check measures, such as `policies.nul`.
        package var open: String?

        package init(_ id: CheckID, _ measured: CheckClass, open: String? = nil) {
            self.id = id
            self.measured = measured
            self.open = open
        }
    }

    /// Name of the dialect, as the user gave it.
    package var dialect: String
    /// The server's software and version, or its name if those are unknown.
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

    /// Records the results of all checks that apply to the dialect.
    ///
    /// - Parameter server: Name of the server if its software is unknown.
    package init(_ results: CheckResults, server: String? = nil) {
        self.init(
            dialect: results.dialect, server: results.software ?? server ?? results.endpoint,
            seed: results.seed, toolVersion: results.toolVersion,
            entries: results.checks.filter { $0.verdict != .skipped }.map { check in
                Entry(check.id, check.measured, open: Self.openSetting(check))
            })
    }

    /// Returns the entry of a check; nil if it has none.
    package subscript(_ id: CheckID) -> Entry? {
        // A linear search is fast enough for at most `checksMax` entries.
        entries.first { $0.id == id }
    }

    /// Removes all entries for which `isKept` returns false.
    mutating func keep(_ isKept: (CheckID) -> Bool) { entries.removeAll { !isKept($0.id) } }

    private static func openSetting(_ check: CheckResult) -> String? {
        check.basis.hasSuffix(": ?") ? String(check.basis.dropLast(3)) : nil
    }
}
