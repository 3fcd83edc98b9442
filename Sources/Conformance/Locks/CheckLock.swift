/// What a server did with each stimulus, pinned: later runs are held against it, with no specification needed.
public struct CheckLock: Sendable, Hashable {
    /// The name and version of the form in which it is written to a file.
    public static let format = "linejudge.lock/1"
    /// The most checks that a file may pin.
    public static let checksMax = 10_000
    /// The most bytes of a lock file.
    public static let bytesMax = 4 << 20

    /// One check, and what the server did.
    public struct Entry: Sendable, Hashable {
        /// The check's name.
        public var id: CheckID
        /// What the server did.
        public var measured: CheckClass
        /// The setting that the dialect leaves open and that this answers: `policies.nul`.
        public var open: String?

        /// An entry from its parts.
        public init(_ id: CheckID, _ measured: CheckClass, open: String? = nil) {
            self.id = id
            self.measured = measured
            self.open = open
        }
    }

    /// The dialect, as it was named.
    public var dialect: String
    /// The server: its software and version, else how it was named.
    public var server: String
    /// What everything random was derived from.
    public var seed: UInt64
    /// The version of Linejudge.
    public var toolVersion: String
    /// The checks, in the order of their names.
    public private(set) var entries: [Entry]

    /// A lock from its parts.
    public init(
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
    public init(_ results: CheckResults, server: String? = nil) {
        self.init(
            dialect: results.dialect, server: results.software ?? server ?? results.endpoint,
            seed: results.seed, toolVersion: results.toolVersion,
            entries: results.checks.filter { $0.verdict != .skipped }.map { check in
                Entry(check.id, check.measured, open: Self.openSetting(check))
            })
    }

    /// What was pinned for a check.
    public subscript(_ id: CheckID) -> Entry? {
        // The entries are sorted, but no table is big enough for that to matter.
        entries.first { $0.id == id }
    }

    /// Leaves out what is not to be kept.
    mutating func keep(_ isKept: (CheckID) -> Bool) { entries.removeAll { !isKept($0.id) } }

    private static func openSetting(_ check: CheckResult) -> String? {
        check.basis.hasSuffix(": ?") ? String(check.basis.dropLast(3)) : nil
    }
}

extension CheckID {
    /// The name in the form of ``description``.
    public init(parsing text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        self.init(parts.first ?? text, parts.count > 1 ? parts[1] : nil)
    }
}
