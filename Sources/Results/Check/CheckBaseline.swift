/// What a server did with each stimulus, pinned: later runs are held against it, with no specification needed.
package struct CheckBaseline: Sendable, Hashable {
    /// The name and version of the form in which it is written to a file.
    package static let format = "linejudge.lock/1"
    /// The most checks that a file may pin.
    package static let checksMax = 10_000
    /// The most bytes of a lock file.
    package static let bytesMax = 4 << 20

    /// One check, and what the server did.
    package struct Entry: Sendable, Hashable {
        /// The check's name.
        package var id: CheckID
        /// What the server did.
        package var measured: CheckClass
        /// The setting that the dialect leaves open and that this answers: `policies.nul`.
        package var open: String?

        /// An entry from its parts.
        package init(_ id: CheckID, _ measured: CheckClass, open: String? = nil) {
            self.id = id
            self.measured = measured
            self.open = open
        }
    }

    /// The dialect, as it was named.
    package var dialect: String
    /// The server: its software and version, else how it was named.
    package var server: String
    /// What everything random was derived from.
    package var seed: UInt64
    /// The version of Linejudge.
    package var toolVersion: String
    /// The checks, in the order of their names.
    package private(set) var entries: [Entry]

    /// A lock from its parts.
    package init(
        dialect: String, server: String, seed: UInt64, toolVersion: String, entries: [Entry]
    ) {
        self.dialect = dialect
        self.server = server
        self.seed = seed
        self.toolVersion = toolVersion
        self.entries = entries.sorted { $0.id < $1.id }
    }

    /// What these results pin. What does not apply to the dialect is left out.
    ///
    /// - Parameter server: what the server is called where its software is not known.
    package init(_ results: CheckResults, server: String? = nil) {
        self.init(
            dialect: results.dialect, server: results.software ?? server ?? results.endpoint,
            seed: results.seed, toolVersion: results.toolVersion,
            entries: results.checks.filter { $0.verdict != .skipped }.map { check in
                Entry(check.id, check.measured, open: Self.openSetting(check))
            })
    }

    /// What was pinned for a check.
    package subscript(_ id: CheckID) -> Entry? {
        // The entries are sorted, but no table is big enough for that to matter.
        entries.first { $0.id == id }
    }

    /// Leaves out what is not to be kept.
    mutating func keep(_ isKept: (CheckID) -> Bool) { entries.removeAll { !isKept($0.id) } }

    private static func openSetting(_ check: CheckResult) -> String? {
        check.basis.hasSuffix(": ?") ? String(check.basis.dropLast(3)) : nil
    }
}
