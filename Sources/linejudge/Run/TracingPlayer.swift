import Diagnostics
import Report
import Results
import Runner
import Scenario
import Session
import SessionTransport
import Transport

/// Shows on standard error, after each play, every line that went over the wire (`-vv`).
struct TracingPlayer: ScenarioPlayer {
    let player: any ScenarioPlayer
    let console: RunConsole
    let paint: Paint

    func play(
        _ program: Program, options: PlayOptions, at endpoint: Endpoint
    ) async -> Playback {
        let playback = await player.play(program, options: options, at: endpoint)
        let path = escapedForDisplay(program.file.source.path)
        let title = "\(path) [\(options.segmentation.word)] \(endpoint)"
        let text = TranscriptText(paint: paint, columns: nil).text(playback.result.transcript)
        console.write(paint(title, .dim) + "\n" + text, to: .error)
        return playback
    }
}
