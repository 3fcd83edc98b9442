import Capture
import Diagnostics
import DialectFiles
import Report
import Results
import Runner
import Transport

/// A scenario made from a capture.
struct DecodedScenario {
    let command: DecodeCommand
    let dialect: DialectFile

    /// The server that is named on the command line.
    static func server(_ text: String) throws(CommandFailure) -> Transport.Endpoint {
        try CommandFailure.usage { () throws(Diagnosed) in try Transport.Endpoint(parsing: text) }
    }

    /// Writes the scenario, after running it if there is a server.
    func write(_ transcript: TranscriptSink, _ server: Transport.Endpoint?) async throws {
        warn(of: transcript)
        guard command.verification.isRequested else { return try await write(transcript, at: nil) }
        if let server {
            let target = try CommandFailure.usage { () throws(Diagnosed) in
                try ReplayTarget(server, dialect.dialect, command.verification.trust)
            }
            return try await write(transcript, at: target)
        }
        try await BuiltInServer.run(speaking: dialect.dialect) { endpoint in
            try await write(transcript, at: ReplayTarget(endpoint, nil))
        }
    }

    private func write(_ transcript: TranscriptSink, at target: ReplayTarget?) async throws {
        let writing = ScenarioWriting(
            command: "linejudge decode", dialect: dialect, options: command.scenario,
            target: target, comparesOccurrences: true)
        try await writing.write(
            transcript.conversation, startedAt: transcript.startedAt.map { $0 / 1_000_000_000 },
            nothing: CommandFailure(
                .inconclusive, .badOption, "the capture has no lines"))
    }

    /// Prints warnings about what the scenario lacks.
    private func warn(of transcript: TranscriptSink) {
        var notes: [Diagnostic] = []
        if transcript.remarks > 0 {
            notes.append(
                Diagnostic(
                    .warning, "capture.incomplete-scenario",
                    "the scenario is incomplete in \(counted(transcript.remarks, "place")), "
                        + "marked by comments"))
        }
        if transcript.silentConnections > 0 {
            notes.append(
                Diagnostic(
                    .note, "capture.silent-connections",
                    "\(counted(transcript.silentConnections, "connection")) without lines left out")
            )
        }
        if transcript.servers.count > 1 {
            let names = transcript.servers.map(\.text).sorted().joined(separator: ", ")
            notes.append(
                Diagnostic(
                    .warning, "capture.several-servers",
                    "a scenario runs against one server, but the capture has several: \(names)"
                ).help("choose one with --port, or connections with --connection"))
        }
        guard !notes.isEmpty, !command.display.quiet else { return }
        let renderer = DiagnosticRenderer(
            isColoured: command.display.colours.style(for: .error).isColoured)
        Output.error.write(renderer.text(notes))
    }
}
