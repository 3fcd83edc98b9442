import ArgumentParser
import Capture
import Console
import Jobs
import LiveCapture
import Manual
import Recorder
import Report
import Results

/// The `linejudge decode` command.
struct DecodeCommand: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Decode captured traffic into a readable log.",
        usage: "linejudge decode [OPTIONS] FILES...",
        discussion: """
            Reads pcap and pcapng files, plain or compressed with gzip or zstd, reassembles TCP \
            streams, and shows each line as a dialect command with its arguments. Lines that \
            violate the dialect are marked and counted, and gaps in the capture are reported. Several \
            files are read as one stream, in chronological order. With --as scenario, it writes a scenario \
            that repeats the conversation.
            """)

    static let manual = CommandManual(
        examples: [
            "Show the IRC lines of one user": "linejudge decode chat.pcapng --operator alice",
            "Measure response times by command": "linejudge decode chat.pcapng --as latency",
            "Check that each message reached all members of its room":
                "linejudge decode chat.pcapng --as deliveries --expect",
            "Show the conversation as a sequence diagram in a browser":
                "linejudge decode chat.pcapng --as ladder -o chat.html",
            "Cut large captures down to the connections of one user":
                "linejudge decode trace-*.pcap --operator alice --slice alice.pcapng",
            "Turn a capture into a scenario that passes against a server":
                "linejudge decode chat.pcapng --as scenario -o chat.chat --server irc://127.0.0.1",
        ],
        exitCodes: [
            .failed:
                "a capture is damaged, or one of several is missing (everything readable was decoded); with --strict, a line violates the dialect; with --expect, a delivery is wrong; or the scenario does not pass",
            .inconclusive:
                "not a capture, an empty capture or slice, or no line matches the filters",
            .usage:
                "invalid command line, or a command that is neither in the dialect nor in the capture",
            .unparsable: "the dialect or the TLS key log does not parse",
            .noInput: "no such file",
            .interrupted: "interrupted (SIGINT); everything read so far is shown",
            .terminated: "terminated (SIGTERM or SIGHUP); everything read so far is shown",
        ],
        and: [.ok, .software],
        details: [
            """
            For output formats, filters, dialect detection and live capture, see \
            [decode.md](decode.md).
            """
        ])

    @OptionGroup(title: "Decoding") var decoding: DecodingOptions
    @OptionGroup(title: "Live capture") var live: InterfaceOptions
    @OptionGroup(title: "Selection") var conversation: ConversationOptions
    @OptionGroup(title: "Output") var display: DecodeOutputOptions
    @OptionGroup(title: "Output") var colours: ColourOptions
    @OptionGroup(title: "Scenario") var scenario: ScenarioWritingOptions
    @OptionGroup(title: "Scenario") var verification: VerificationOptions
    @OptionGroup(title: "Scenario") var trust: ServerTrustOptions

    @ArgumentParser.Argument(
        help: ArgumentHelp("Capture files, or - for standard input.", valueName: "files"),
        completion: .file(extensions: ["pcap", "pcapng", "cap", "gz", "zst"]))
    var paths: [String] = []

    /// True to show lines as they arrive.
    var isLive: Bool { decoding.follow || paths == ["-"] || live.interface != nil }

    func validate() throws {
        if paths.isEmpty == (live.interface == nil) {
            throw ValidationError(
                paths.isEmpty
                    ? "missing capture file or --interface"
                    : "a capture file and --interface cannot be used together")
        }
        if paths.count > 1, paths.contains("-") {
            throw ValidationError("standard input (-) cannot be combined with other captures")
        }
        if paths.count > 1, decoding.follow {
            throw ValidationError("--follow supports only one file")
        }
        try validateSlice()
        if display.stats, display.format == .json {
            throw ValidationError("--stats cannot be used with --as json")
        }
        if display.format == .lines || display.format == .connections, display.stats {
            throw ValidationError("--stats cannot be used with --as \(display.format.rawValue)")
        }
        if display.format == .lines, display.anonymise {
            throw ValidationError("--anonymise cannot be used with --as lines")
        }
        if display.format == .connections {
            if !conversation.command.isEmpty {
                throw ValidationError("--command cannot be used with --as connections")
            }
        }
        try validateDeliveries()
        if !display.report.isEmpty, display.format != .latency {
            throw ValidationError(
                "--report requires --as latency; for a page with the conversation, use --as ladder")
        }
        if display.format == .latency {
            if display.stats { throw ValidationError("--stats cannot be used with --as latency") }
            if display.anonymise {
                throw ValidationError(
                    "--anonymise cannot be used with --as latency, which shows no names")
            }
            try validateStandardOutput(
                takes: display.report.count(where: \.goesToStandardOutput))
        }
        if display.format == .ladder {
            if display.stats { throw ValidationError("--stats cannot be used with --as ladder") }
        } else if display.format != .scenario, scenario.output != "-" {
            throw ValidationError("--output requires --as scenario or --as ladder")
        }
        guard display.format == .scenario else {
            if verification.isRequested {
                throw ValidationError("--server and --verify require --as scenario")
            }
            return
        }
        if display.stats { throw ValidationError("--stats cannot be used with --as scenario") }
        if display.anonymise {
            throw ValidationError("--anonymise cannot be used with --as scenario")
        }
    }

    private func validateDeliveries() throws {
        guard display.format.isOfDeliveries else {
            if display.expect { throw ValidationError("--expect requires --as deliveries") }
            return
        }
        let filters: [(option: String, isGiven: Bool)] = [
            ("--command", !conversation.command.isEmpty),
            ("--operator", !conversation.operatorName.isEmpty),
            ("--connection", !conversation.connection.isEmpty),
            ("--from", conversation.from != nil), ("--to", conversation.to != nil),
            ("--stats", display.stats), ("--anonymise", display.anonymise),
        ]
        guard let given = filters.first(where: \.isGiven) else { return }
        throw ValidationError(
            "\(given.option) cannot be used with --as \(display.format.rawValue), which needs all lines"
        )
    }

    private func validateSlice() throws {
        guard let slice = display.slice else { return }
        if OutputFile.isStandardOutput(slice), display.format != .log || display.stats {
            let other = display.stats ? "--stats" : "--as \(display.format.rawValue)"
            throw ValidationError(
                "--slice - cannot be used with \(other): both would write to standard output")
        }
    }

    func run() async throws { try await DecodeRun(request).run() }

    private var request: DecodeRequest {
        var request = DecodeRequest(paths)
        request.dialects = decoding.dialect.map { ($0.name, $0.port) }
        request.options = options
        request.read(only: CapturedServers(ports: decoding.port, keys: decoding.keys))
        request.packetFilter = decoding.bpf
        if live.interface != nil { request.interface = live.request }
        request.duration = live.duration?.nanoseconds
        request.slice = display.slice
        request.reports = display.report
        request.scenario = scenario.options
        request.verification.server = verification.server
        request.verification.isRequested = verification.isRequested
        request.verification.trust = trust.trust
        request.isStrict = display.strict
        request.expectsDeliveries = display.expect
        request.colours = colours.colours
        return request
    }

    private var filters: CaptureFilters {
        var filters = CaptureFilters()
        filters.commands = conversation.command
        filters.operators = conversation.operatorName
        filters.connections = conversation.connection
        filters.from = conversation.from?.moment
        filters.to = conversation.to?.moment
        return filters
    }

    private var options: DecodeOptions {
        var options = DecodeOptions()
        options.format = display.format
        options.filters = filters
        options.reassembly.prefersLastCopy = decoding.overlap == .last
        options.isColoured = colours.style(for: .standard).isColoured
        options.columns = Output.standard.columns
        options.times = display.time
        options.showsSecrets = display.secrets
        options.showsStatistics = display.stats
        options.anonymises = display.anonymise
        options.isQuiet = display.quiet
        options.follows = decoding.follow
        options.isLive = isLive
        return options
    }
}
