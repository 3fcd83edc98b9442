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
    let request: DecodeRequest
    let dialect: DialectFile

    /// Parses the server address given on the command line.
    static func server(_ text: String) throws(CommandFailure) -> Endpoint {
        try CommandFailure.usage { () throws(Diagnosed) in try Endpoint(parsing: text) }
    }

    /// Writes the scenario. If a server is given, first runs the scenario against it.
    func write(_ transcript: TranscriptSink, _ server: Endpoint?) async throws {
        warn(of: transcript)
        guard request.verification.isRequested else { return try await write(transcript, at: nil) }
        guard let server else {
            return try await BuiltInServer.run(speaking: dialect.dialect) { endpoint in
                try await write(transcript, at: ReplayTarget(endpoint, nil))
            }
        }
        let target = try CommandFailure.usage { () throws(Diagnosed) in
            try ReplayTarget(
                server, dialect.dialect, request.verification.trust,
                startsTLS: transcript.startsTLS)
        }
        try await write(transcript, at: target)
    }

    private func write(_ transcript: TranscriptSink, at target: ReplayTarget?) async throws {
        let writing = ScenarioWriting(
            command: "linejudge decode", dialect: dialect, options: request.scenario,
            target: target, comparesOccurrences: true)
        try await writing.write(
            transcript.conversation, startedAt: transcript.startedAt.map { $0 / 1_000_000_000 },
            nothing: CommandFailure(
                .inconclusive, .badOption, "the capture has no lines"))
    }

    /// Prints warnings about parts of the conversation missing from the scenario.
    private func warn(of transcript: TranscriptSink) {
        request.colours.show(
            transcript.warnings.filter { !request.options.isQuiet || $0.severity != .note })
    }
}
