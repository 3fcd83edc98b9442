import Diagnostics

/// Options of other tools (k6, wrk, ab, hey, vegeta, Locust, hurl) with a Linejudge equivalent.
enum ForeignOptions {
    /// Suggestions for each command, keyed by the other tool's option without leading hyphens.
    private static let suggestions: [String: [String: String]] = [
        "load": load, "run": server.merging(run) { $1 }, "check": server,
        "dialect": ["o": "> FILE to write to a file", "output": "> FILE to write to a file"],
    ]

    private static let server = [
        "host": "--server HOST:PORT", "url": "--server HOST:PORT", "target": "--server HOST:PORT",
        "address": "--server HOST:PORT", "command": "--exec COMMAND",
    ]

    private static let run = [
        "parallel": "--jobs 4", "workers": "--jobs 4", "p": "--jobs 4",
        "timeout": "--timeout-step 5s or --timeout-file 60s", "max-time": "--timeout-file 60s",
        "junit": "--report junit=FILE", "report-junit": "--report junit=FILE",
        "report-html": "--report html=FILE", "report-json": "--report json=FILE",
        "output": "--report FORMAT=FILE", "o": "--report FORMAT=FILE", "test": "--filter TEXT",
        "grep": "--filter TEXT", "k": "--filter TEXT", "glob": "--filter GLOB",
        "variable": "--var NAME=VALUE", "env": "--var NAME=VALUE",
    ]

    private static let load = server.merging(
        [
            "duration": "--for 30s", "time": "--for 30s", "run-time": "--for 30s", "t": "--for 30s",
            "d": "--for 30s", "z": "--for 30s",
            "vus": "--operators 100", "u": "--operators 100", "users": "--operators 100",
            "clients": "--operators 100", "c": "--operators 100", "connections": "--operators 100",
            "concurrency": "--operators 100",
            "rps": "--rate 100/s", "qps": "--rate 100/s", "q": "--rate 100/s",
            "arrival-rate": "--rate 100/s", "R": "--rate 100/s", "throughput": "--rate 100/s",
            "ramp-up": "--ramp 10s", "rampup": "--ramp 10s", "spawn-rate": "--ramp 10s",
            "r": "--rate 100/s, and --ramp 10s for the logins",
            "iterations": "--for 30s; load tests are limited by time",
            "requests": "--for 30s; load tests are limited by time",
            "n": "--for 30s; load tests are limited by time",
            "i": "--for 30s; load tests are limited by time",
            "threads": "--workers 2", "stage": "`stages` in a plan (PLAN.yaml)",
            "stages": "`stages` in a plan (PLAN.yaml)", "size": "--text-bytes 64",
            "payload-size": "--text-bytes 64", "rooms": "--room-size 10",
            "channels": "--room-size 10",
            "out": "--report FORMAT=FILE", "o": "--report FORMAT=FILE",
            "summary-export": "--report json=FILE", "html": "--report html=FILE",
            "csv": "--report csv=FILE", "json": "--report json=FILE",
            "junit": "--report junit=FILE", "output": "--report FORMAT=FILE",
            "format": "--report FORMAT=FILE", "scenarios": "--scenario FILE",
            "check": "--threshold 'p99(say) < 50ms'", "pause": "--think 1s",
            "sleep": "--think 1s",
        ], uniquingKeysWith: { $1 })

    /// Returns the Linejudge equivalent of another tool's option, such as `--for 30s` for
    /// `--duration`; nil if there is none.
    static func suggestion(for option: String, of command: String) -> String? {
        suggestions[command]?[name(option)]
    }

    /// Returns the Linejudge equivalent of another tool's option that is misspelled; nil if there is
    /// none.
    static func suggestion(forMisspelled option: String, of command: String) -> String? {
        guard let known = suggestions[command] else { return nil }
        return didYouMean(name(option), among: known.keys.filter { $0.count > 2 }.sorted())
            .flatMap { known[$0] }
    }

    private static func name(_ option: String) -> String { String(option.drop { $0 == "-" }) }
}
