import ArgumentParser
import Capture
import Jobs
import Report

/// Options for how to decode a capture.
struct DecodingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Dialect of the traffic: NAME, FILE, or either with +PROFILE; NAME@PORT for one port. \
            Repeatable. Detected from the traffic by default.
            """, valueName: "name"), completion: .dialect)
    var dialect: [DialectArgument] = []

    @Option(
        help: ArgumentHelp(
            "Decode only connections to this server port. Repeatable.", valueName: "number"))
    var port: [UInt16] = []

    @Option(
        help: ArgumentHelp(
            "Which bytes to use if a retransmission differs from the original.", valueName: "which")
    )
    var overlap = OverlapArgument.first

    @Option(
        help: ArgumentHelp(
            "Decode only packets that match this tcpdump filter (needs libpcap).",
            valueName: "filter"))
    var bpf: String?

    @Option(
        help: ArgumentHelp(
            "TLS key log (SSLKEYLOGFILE) for decrypting connections.", valueName: "file"),
        completion: .file())
    var keys: String?

    @Flag(help: "Keep reading as the file grows or is replaced, until Ctrl-C.")
    var follow = false
}

/// Options for choosing which lines of a conversation to show.
struct ConversationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Show only this command: a name in the dialect, or the first word of a line that is not \
            a command of the dialect. Repeatable.
            """, valueName: "name"))
    var command: [String] = []

    @Option(
        name: .customLong("operator"),
        help: ArgumentHelp("Show only the user with this name. Repeatable.", valueName: "name"))
    var operatorName: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show only the connection with this number. Repeatable.", valueName: "number"))
    var connection: [Int] = []

    @Option(
        help: ArgumentHelp(
            """
            Skip lines before this time: 2026-11-21T12:00:00Z, 12:00:00 on the first day (UTC), or \
            +90s after the first packet.
            """, valueName: "time"))
    var from: CaptureTimeArgument?

    @Option(help: ArgumentHelp("Skip lines after this time.", valueName: "time"))
    var to: CaptureTimeArgument?
}

/// Options for the format and contents of the decoded output.
struct DecodeOutputOptions: ParsableArguments {
    @Option(
        name: [.customLong("as"), .customLong("format")],
        help: ArgumentHelp(
            """
            What to write: a log, JSON Lines, the lines as sent, a sequence diagram (HTML), a table of \
            connections, a scenario, response times, or each message and who received it (also as \
            JSON Lines).
            """,
            valueName: "format"))
    var format = ConversationFormat.log

    @Option(
        help: ArgumentHelp(
            """
            With --as latency, write a report as pretty, html, json, csv, hgrm or hlog; FILE can be - \
            for standard output. Repeatable.
            """, valueName: "format=file"), completion: .list(LoadReportFormat.completions),
        transform: ReportOptions<LoadReportFormat>.request)
    var report: [RequestedReport<LoadReportFormat>] = []

    @Option(
        help: ArgumentHelp(
            "Timestamps in the log: time of day (UTC), time since the first packet, or date and time.",
            valueName: "form"))
    var time = LogOptions.Times.clock

    @Option(
        help: ArgumentHelp(
            """
            Also write all packets of the connections with selected lines to this pcapng file; - for \
            standard output, instead of the log.
            """, valueName: "file"), completion: .file(extensions: ["pcapng"]))
    var slice: String?

    @Flag(help: "Show statistics instead of lines: counts and response times by command.")
    var stats = false

    @Flag(help: "Show values that the dialect declares secret.")
    var secrets = false

    @Flag(
        help: """
            Replace names, rooms, hosts and addresses with pseudonyms. In a slice, replace all other \
            texts as well.
            """)
    var anonymise = false

    @Flag(help: "Exit with 1 if a line violates the dialect.")
    var strict = false

    @Flag(
        help: """
            With --as deliveries, exit with 1 if a message is missing, duplicated, altered or out of \
            order, a probe is not answered exactly once, or a request to enter a room is not \
            answered.
            """)
    var expect = false

    @Flag(name: .shortAndLong, help: "Print only warnings and errors, not the summary.")
    var quiet = false
}

extension ConversationFormat: ExpressibleByArgument {}

/// A dialect, optionally for a single port, such as `irc`, `irc+ngircd` or `irc@6667`.
struct DialectArgument: ExpressibleByArgument {
    let name: String
    /// The port; nil to use the dialect for every port that no other argument names.
    let port: UInt16?

    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, last.allSatisfy(\.isNumber) else {
            guard !argument.isEmpty else { return nil }
            (name, port) = (argument, nil)
            return
        }
        guard let number = UInt16(last), number > 0 else { return nil }
        name = parts.dropLast().joined(separator: "@")
        port = number
        if name.isEmpty { return nil }
    }
}

/// Options for verifying a decoded scenario against a server.
struct VerificationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Run the scenario against this server and adapt it until it passes: host:port, \
            tls://host:port, irc://host, ws://host/path or unix:/path.
            """, valueName: "url"))
    var server: String?

    @Flag(help: "Like --server, but with the reference server.")
    var verify = false

    /// True to run the scenario before writing it.
    var isRequested: Bool { verify || server != nil }
}

/// The TCP segment whose data is used if overlapping segments differ.
enum OverlapArgument: String, ExpressibleByArgument, CaseIterable {
    case first, last
}

extension LogOptions.Times: ExpressibleByArgument {}

/// A value of `--from` or `--to`: a time in a capture.
struct CaptureTimeArgument: ExpressibleByArgument {
    let moment: CaptureFilters.Moment

    init?(argument: String) {
        guard let time = CaptureTime(argument) else { return nil }
        moment = CaptureFilters.Moment(text: argument, time: time)
    }
}
