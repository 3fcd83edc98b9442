package import Diagnostics
package import Transport

/// The command that starts a server under test.
package struct ServerCommand: Sendable, Hashable {
    /// The command as written, including `{{port}}` and `{{dir}}`.
    package var text: String
    /// Origin of the command, for error messages: `--exec`, or the location of a scenario's `exec`
    /// line.
    package var origin: String
    /// The server's listening address; nil to use `{{port}}` on 127.0.0.1.
    package var endpoint: Endpoint?
    /// Path of a log file, which receives up to ``logBytesMax`` bytes of output; nil to keep only
    /// the end of the output in memory.
    package var logPath: String?
    /// Startup timeout: the maximum time until the server accepts connections, in nanoseconds.
    package var startTimeout = startTimeoutDefault
    /// Time between SIGTERM and SIGKILL when the server is stopped, in nanoseconds.
    package var stopTimeout: Int64 = 3_000_000_000

    package static let startTimeoutDefault: Int64 = 20_000_000_000
    /// Maximum number of bytes of output kept in memory.
    package static let outputBytesMax = 64 << 10
    /// Maximum number of bytes of output written to the log file.
    package static let logBytesMax = 64 << 20

    /// - Parameter startTimeout: Startup timeout, in nanoseconds; nil to use the default.
    package init(
        _ text: String, origin: String = "--exec", endpoint: Endpoint? = nil,
        startTimeout: Int64? = nil
    ) {
        self.text = text
        self.origin = origin
        self.endpoint = endpoint
        self.startTimeout = startTimeout ?? Self.startTimeoutDefault
    }

    /// Source text for error messages to refer to.
    var source: SourceText { SourceText(path: origin, text: text) }

    static let port = "{{port}}"
    static let folder = "{{dir}}"

    /// True if the command contains `{{port}}`.
    package var takesPort: Bool { text.contains(Self.port) }

    /// True if several servers can be started with the command at the same time, each on its own
    /// port.
    package var canRunTwice: Bool { takesPort && endpoint == nil }

    /// Throws an error if the command can never start, because it cannot be parsed or the server's
    /// address is unknown.
    package func check() throws(Diagnosed) {
        // Replace placeholders with text of the same length, so that errors point to the right
        // column.
        let filled = text.replacing(Self.port, with: String(repeating: "0", count: Self.port.count))
            .replacing(Self.folder, with: String(repeating: "d", count: Self.folder.count))
        _ = try CommandWords(filled, source: source)
        if !takesPort, endpoint == nil { throw addressUnknown }
    }

    var addressUnknown: Diagnosed {
        if let (name, meant) = misspelledPlaceholder {
            return error(
                .badCommand, "unknown placeholder `{{\(escapedForDisplay(name))}}`",
                help: "did you mean `\(meant)`?")
        }
        return error(
            .badCommand, "the server's address is unknown",
            help: "add {{port}} to the command, as in `myserver --port {{port}}`, "
                + "or pass --server")
    }

    /// A placeholder that does not exist, and the one that is probably meant.
    private var misspelledPlaceholder: (name: String, meant: String)? {
        var rest = text[...]
        while let start = rest.firstRange(of: "{{"),
            let end = rest[start.upperBound...].firstRange(of: "}}")
        {
            let name = String(rest[start.upperBound..<end.lowerBound])
            if let meant = didYouMean(name, among: ["port", "dir"]) {
                return (name, "{{\(meant)}}")
            }
            rest = rest[end.upperBound...]
        }
        return nil
    }

    func error(
        _ code: DiagnosticCode, _ message: String, help: String? = nil, notes: [String] = []
    ) -> Diagnosed {
        var diagnostic = Diagnostic(
            .error, code, message,
            at: DiagnosticLocation(
                source: source, range: SourceRange(start: 0, end: source.bytes.count)))
        for note in notes { diagnostic = diagnostic.note(note) }
        return Diagnosed(help.map(diagnostic.help) ?? diagnostic)
    }
}
