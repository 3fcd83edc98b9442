import Diagnostics
import Results

extension LoadHTMLPage {
    /// State of a load test that is still running.
    struct Live {
        var progress: LoadProgress
        var snapshot: LoadSnapshot
        /// Query string for command requests, including the question mark.
        var query: String

        /// End of the time axis in seconds. It stays ahead of the elapsed time until it reaches the
        /// end of the load test.
        var timelineEnd: Double {
            let (elapsed, duration) = (
                Double(progress.elapsed) / 1e9, Double(progress.duration) / 1e9
            )
            return min(max(elapsed * 1.25, Self.timelineSecondsMin), duration)
        }

        private static let timelineSecondsMin = 60.0
    }

    /// The progress line of a running load test.
    struct ProgressRow {
        var text: String
        var share: String

        init(_ live: Live) {
            text = LoadProgressText.words(live.progress, live.snapshot)
            share = String(Int((live.progress.share * 1_000).rounded()))
        }
    }

    /// A button that sends a command.
    struct CommandButton {
        var command: String
        var name: String
        var query: String

        /// Returns the commands that are possible now.
        static func all(_ live: Live) -> [CommandButton] {
            guard live.progress.phase != .draining, live.progress.phase != .ended else {
                return []
            }
            var commands = [("stop", "Stop")]
            if live.progress.canChangeRate {
                commands =
                    [
                        live.progress.isPaused ? ("resume", "Resume") : ("pause", "Pause"),
                        ("slower", "Rate −10%"), ("faster", "Rate +10%"),
                    ] + commands
            }
            return commands.map { CommandButton(command: $0.0, name: $0.1, query: live.query) }
        }
    }
}

extension LoadHTMLPage.Tile {
    /// Returns the key figures of a running load test that are not in the final report.
    static func running(_ live: LoadHTMLPage.Live) -> [Self] {
        let snapshot = live.snapshot
        return [
            Self(
                class: "plain", name: "received", value: grouped(snapshot.arrived),
                note: "\(grouped(UInt64(max(snapshot.open, 0)))) in flight")
        ]
    }
}
