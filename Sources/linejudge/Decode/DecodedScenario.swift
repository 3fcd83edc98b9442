import Capture
import Diagnostics
import DialectFiles
import Report
import Results
import Runner
import Transport

/// The scenario that a capture becomes.
struct DecodedScenario {
    let command: DecodeCommand
    let dialect: DialectFile

    /// The server that is named on the command line.
    static func server(_ text: String) throws(CommandFailure) -> Transport.Endpoint {
        do throws(Diagnosed) {
            return try Transport.Endpoint(parsing: text)
        } catch {
            throw CommandFailure(.usage, error)
        }
    }

    /// Writes it; with a server only when it has been played there.
    func write(_ transcript: TranscriptSink, _ server: Transport.Endpoint?) async throws {
        warn(of: transcript)
        guard command.verifying.isWanted else { return try await write(transcript, at: nil) }
        if let server {
            let target: ReplayTarget
            do throws(Diagnosed) {
                target = try ReplayTarget(server, dialect.dialect, command.verifying.trust)
            } catch {
                throw CommandFailure(.usage, error)
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
                .inconclusive, .badOption, "nothing was said, so there is nothing to write"))
    }

    /// What the scenario cannot say is said here, too.
    private func warn(of transcript: TranscriptSink) {
        var notes: [Diagnostic] = []
        if transcript.remarks > 0 {
            notes.append(
                Diagnostic(
                    .warning, "capture.incomplete-scenario",
                    "the scenario lacks something in \(counted(transcript.remarks, "place")); a "
                        + "comment stands in each"))
        }
        if transcript.silentConnections > 0 {
            notes.append(
                Diagnostic(
                    .note, "capture.silent-connections",
                    "\(counted(transcript.silentConnections, "connection")) on which nothing was "
                        + "said left out"))
        }
        if transcript.servers.count > 1 {
            let names = transcript.servers.map(\.text).sorted().joined(separator: ", ")
            notes.append(
                Diagnostic(
                    .warning, "capture.several-servers",
                    "a scenario is played against one server, and here are several: \(names)"
                ).help("choose one with --port, or connections with --connection"))
        }
        guard !notes.isEmpty, !command.showing.quiet else { return }
        let renderer = DiagnosticRenderer(
            isColoured: command.showing.colours.style(for: .error).isColoured)
        Output.error.write(renderer.text(notes))
    }
}
