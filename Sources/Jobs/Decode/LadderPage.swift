import Capture
import Console
import Diagnostics
import DialectFiles
import LineProtocol
import Recorder
import Report
import Results

/// The page for `decode --as ladder`.
struct LadderPage {
    private let request: DecodeRequest

    private var path: String { request.scenario.output }

    init(_ request: DecodeRequest) { self.request = request }

    /// Checks, before the capture is decoded, that the page can be written.
    func prepare() throws(CommandFailure) {
        if !OutputFile.isStandardOutput(path) { try OutputFile(path: path).prepare(as: "page") }
    }

    /// Writes the page.
    ///
    /// - Parameter name: Name of the capture.
    func write(_ ladder: Ladder, _ outcome: DecodeOutcome, _ name: String) throws {
        let dialects = outcome.dialects.spoken.map(\.dialect.name)
        let counts = outcome.counts
        var page = LadderContent(
            capture: name,
            facts: [
                ("dialect", dialects.isEmpty ? "none" : dialects.joined(separator: ", ")),
                ("connections", String(counts.streams.connections)),
                ("lines", String(counts.conversation.lines)),
                ("violations", String(counts.conversation.broken)),
                ("gaps", String(counts.streams.gaps)),
            ], rows: String(decoding: ladder.rows, as: UTF8.self))
        page.clients = ladder.clients
        page.servers = ladder.servers
        page.sharingClients = ladder.sharingClients
        if ladder.shown < ladder.total {
            let advice = "select fewer with --operator, --connection, --command, --from and --to"
            let words =
                "only the first \(ladder.shown) of \(ladder.total) rows are shown"
            page.warning =
                words.prefix(1).uppercased() + words.dropFirst()
                + "; \(advice)."
            request.colours.show([
                Diagnostic(.warning, "capture.rows-omitted", words)
                    .help(advice)
            ])
        }
        let text = try LadderHTML.text(page)
        if OutputFile.isStandardOutput(path) {
            Output.standard.write(text)
        } else {
            try OutputFile(path: path).write(text, as: "page")
        }
    }
}
