import ArgumentParser
import Capture
import Console
import Diagnostics
import DialectFiles
import LiveCapture
import Manual
import Recorder
import Report
import Results
import Transport

/// The `linejudge decode` command.
struct DecodeCommand: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Decode captured traffic into a readable log.",
        usage: "linejudge decode [OPTIONS] FILE",
        discussion: """
            Reads pcap and pcapng files, plain or compressed with gzip or zstd, reassembles TCP \
            streams, and shows each line as a dialect command with its arguments. Lines that \
            violate the dialect are marked and counted, and gaps in the capture are reported. With \
            --as scenario, it writes a scenario that repeats the conversation.
            """)

    static let manual = CommandManual(
        examples: [
            "Show the IRC lines of one user": "linejudge decode chat.pcapng --operator alice",
            "Measure response times by command": "linejudge decode chat.pcapng --as latency",
            "Turn a capture into a scenario that passes against a server":
                "linejudge decode chat.pcapng --as scenario -o chat.chat --server irc://127.0.0.1",
        ],
        exitCodes: [
            .failed:
                "the capture is damaged (everything readable was decoded); with --strict, a line violates the dialect; or the scenario does not pass",
            .inconclusive: "not a capture, nothing to decode, or no line matches the filters",
            .usage:
                "invalid command line, or a command that is neither in the dialect nor in the capture",
            .unparsable: "the dialect does not parse",
            .noInput: "no such file",
            .interrupted: "interrupted (SIGINT); everything read so far is shown",
            .terminated: "terminated (SIGTERM or SIGHUP); everything read so far is shown",
        ],
        and: [.ok],
        details: [
            """
            Output formats, filters, dialect detection and live capture are described in \
            [decode.md](decode.md).
            """
        ])

    @OptionGroup(title: "Decoding") var decoding: DecodingOptions
    @OptionGroup(title: "Live capture") var live: InterfaceOptions
    @OptionGroup(title: "Selection") var conversation: ConversationOptions
    @OptionGroup(title: "Output") var display: DecodeOutputOptions
    @OptionGroup(title: "Scenario") var scenario: ScenarioWritingOptions
    @OptionGroup(title: "Scenario") var verification: VerificationOptions

    @ArgumentParser.Argument(
        help: ArgumentHelp("Capture file, or - for standard input.", valueName: "file"),
        completion: .file(extensions: ["pcap", "pcapng", "cap", "gz", "zst"]))
    var path: String?

    /// True to show lines as they arrive.
    var isLive: Bool { decoding.follow || path == "-" || live.interface != nil }

    func validate() throws {
        if (path == nil) == (live.interface == nil) {
            throw ValidationError(
                path == nil
                    ? "missing capture file or --interface"
                    : "a capture file and --interface cannot be used together")
        }
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
        if !display.report.isEmpty, display.format != .latency {
            throw ValidationError("--report requires --as latency")
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
        guard display.format == .scenario else {
            if scenario.output != "-" { throw ValidationError("--output requires --as scenario") }
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

    func run() async throws {
        let server = try verification.server.map { text throws(CommandFailure) in
            try DecodedScenario.server(text)
        }
        let chosen = try GivenDialects(
            decoding.dialect.map { ($0.name, $0.port) }, server?.dialect)
        if decoding.follow || live.interface != nil {
            display.colours.show(chosen.doubts(on: conversation.command))
        }
        if display.format.isOfOneDialect, chosen.files.count > 1 || !chosen.ports.isEmpty {
            throw CommandFailure(
                .usage, .badOption, "--as \(display.format.rawValue) supports only one dialect",
                help: "pass one --dialect NAME and select its servers with --port")
        }
        let reports = CaptureReports(display.report)
        try reports.prepare()
        if display.format == .scenario { try ScenarioWriting.check(scenario.options) }
        let stop = SharedFlag()
        let job = DecodeJob(try options, isStopped: stop)
        let opening = try path.map { path throws(CommandFailure) in try OpenedCapture(path) }
        if decoding.follow, opening?.packing != nil {
            throw CommandFailure(
                .usage, .badOption, "--follow does not support compressed captures")
        }
        let (result, signal) = try await untilStopped(stop) {
            try await decode(opening, job, chosen)
        }
        let (outcome, damage) = result
        if case .failure = outcome, let damage {
            throw CommandFailure(.inconclusive, Diagnosed(damage.diagnostics))
        }
        let decoded = try outcome.get()
        let summary = DecodeSummary(decoded, filters)
        display.colours.show(summary.diagnostics(isQuiet: display.quiet))
        if !display.quiet { Output.error.write(summary.line) }
        if decoded.times != nil {
            let name = opening?.path ?? live.interface ?? ""
            try reports.write(decoded, name, display.colours.style(for: .standard))
        }
        if let transcript = decoded.transcript {
            let scenario = DecodedScenario(command: self, dialect: decoded.dialects.files[0])
            try await scenario.write(transcript, server)
        }
        if let signal { throw CommandFailure(signal.ending) }
        try summary.checkEnding(damage, isStrict: display.strict)
    }

    /// Decodes the capture or the interface's traffic.
    ///
    /// - Returns: The result, and the reason a compressed capture could not be fully
    ///   decompressed; nil if it could.
    private func decode(
        _ opening: OpenedCapture?, _ job: DecodeJob, _ chosen: GivenDialects
    ) async throws -> (
        result: Result<DecodeOutcome, CommandFailure>, damage: CommandFailure?
    ) {
        guard let opening else {
            return (await LibpcapCapture.decode(live.request, job, chosen), nil)
        }
        return try await opening.decode { job.run($0, $1, path: opening.path, chosen) }
    }

    /// Decodes to the end, or until stopped by a signal or `--for`. Returns the result and the
    /// signal, if any.
    private func untilStopped<Result: Sendable>(
        _ stop: SharedFlag, _ decode: () async throws -> Result
    ) async throws -> (Result, signal: Int32?) {
        let interruptions = Interruptions()
        let duration = live.duration
        return try await withThrowingTaskGroup(of: Int32?.self) { group in
            group.addTask {
                let signal = await interruptions.next()
                if signal != nil { stop.set() }
                return signal
            }
            if let duration {
                group.addTask {
                    try? await Task.sleep(nanoseconds: UInt64(clamping: duration.nanoseconds))
                    stop.set()
                    return nil
                }
            }
            let result = try await decode()
            group.cancelAll()
            var signal: Int32?
            for try await number in group { signal = signal ?? number }
            return (result, signal)
        }
    }

    private var filters: CaptureFilters {
        var filters = CaptureFilters()
        filters.commands = conversation.command
        filters.operators = conversation.operatorName
        filters.connections = conversation.connection
        filters.from = conversation.from?.moment
        filters.to = conversation.to?.moment
        filters.ports = decoding.port
        filters.packets = decoding.bpf
        return filters
    }

    private var options: DecodeOptions {
        get throws(CommandFailure) {
            var options = DecodeOptions()
            options.format = display.format
            options.filters = filters
            options.reassembly.ports = Set(decoding.port)
            options.reassembly.lastCounts = decoding.overlap == .last
            if let bpf = decoding.bpf, live.interface == nil {
                options.reassembly.packets = try LibpcapCapture.filter(bpf)
            }
            options.isColoured = display.colours.style(for: .standard).isColoured
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
}
