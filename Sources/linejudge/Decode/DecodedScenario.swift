import Capture
import Console
import Diagnostics
import DialectFiles
import Recorder
import Report
import Results
import Transport

/// A scenario to create from a capture.
struct DecodedScenario {
    let command: DecodeCommand
    let dialect: DialectFile

    /// Parses the server address given on the command line.
    static func server(_ text: String) throws(CommandFailure) -> Endpoint {
        try CommandFailure.usage { () throws(Diagnosed) in try Endpoint(parsing: text) }
    }

    /// Writes the scenario. If a server is given, first runs the scenario against it.
    func write(_ transcript: TranscriptSink, _ server: Endpoint?) async throws {
        warn(of: transcript)
        guard command.verification.isRequested else { return try await write(transcript, at: nil) }
        if let server {
            let target = try CommandFailure.usage { () throws(Diagnosed) in
                try ReplayTarget(server, dialect.dialect, command.verification.trust.trust)
            }
            return try await write(transcript, at: target)
        }
        try await BuiltInServer.run(speaking: dialect.dialect) { endpoint in
            try await write(transcript, at: ReplayTarget(endpoint, nil))
        }
    }

    private func write(_ transcript: TranscriptSink, at target: ReplayTarget?) async throws {
        let writing = ScenarioWriting(
            command: "linejudge decode", dialect: dialect, options: command.scenario.options,
            target: target, comparesOccurrences: true)
        try await writing.write(
            transcript.conversation, startedAt: transcript.startedAt.map { $0 / 1_000_000_000 },
            nothing: CommandFailure(
                .inconclusive, .badOption, "the capture has no lines"))
    }

    /// Prints warnings about parts of the conversation missing from the scenario.
    private func warn(of transcript: TranscriptSink) {
        let notes = transcript.warnings.filter { !command.display.quiet || $0.severity != .note }
        guard !notes.isEmpty else { return }
        let renderer = DiagnosticRenderer(
            isColoured: command.display.colours.style(for: .error).isColoured)
        Output.error.write(renderer.text(notes))
    }
}
