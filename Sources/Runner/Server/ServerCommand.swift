package import Diagnostics
package import Transport

/// How to start a server under test.
package struct ServerCommand: Sendable, Hashable {
    /// The command as it was written, with `{{port}}` and `{{dir}}` in it.
    package var text: String
    /// Where it was written, for errors: `--exec`, or the scenario.
    package var origin: String
    /// Where the server will listen; nil if that is `{{port}}` on 127.0.0.1.
    package var endpoint: Endpoint?
    /// Where its output is kept, all of it up to ``logBytesMax``; nil if only the last of it is kept.
    package var logPath: String?
    /// How long it may take until it listens, in nanoseconds.
    package var startTimeout: Int64 = 20_000_000_000
    /// How long it has to end after SIGTERM before SIGKILL, in nanoseconds.
    package var stopTimeout: Int64 = 3_000_000_000

    /// How much of its output is kept in memory.
    package static let outputBytesMax = 64 << 10
    /// How much of its output is written to its log.
    package static let logBytesMax = 64 << 20

    /// A command.
    package init(_ text: String, origin: String = "--exec", endpoint: Endpoint? = nil) {
        self.text = text
        self.origin = origin
        self.endpoint = endpoint
    }

    /// Where a command's text is shown in errors.
    var source: SourceText { SourceText(path: origin, text: text) }

    static let port = "{{port}}"
    static let folder = "{{dir}}"

    /// Whether the server is told where to listen.
    package var takesPort: Bool { text.contains(Self.port) }

    /// Throws what is wrong with the command however it is started: its words cannot be told, or
    /// nothing says where the server will listen.
    package func check() throws(Diagnosed) {
        // As long as what they stand for is written, so that errors point at the right place.
        let filled = text.replacing(Self.port, with: String(repeating: "0", count: Self.port.count))
            .replacing(Self.folder, with: String(repeating: "d", count: Self.folder.count))
        _ = try CommandWords(filled, source: source)
        if !takesPort, endpoint == nil { throw placeUnknown }
    }

    var placeUnknown: Diagnosed {
        error(
            .badCommand, "it is not known where the server will listen",
            help: "put {{port}} into the command, as in `myserver --port {{port}}`, "
                + "or name the place by --server")
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
