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
        usage: "linejudge decode [OPTIONS] FILES...",
        discussion: """
            Reads pcap and pcapng files, plain or compressed with gzip or zstd, reassembles TCP \
            streams, and shows each line as a dialect command with its arguments. Lines that \
            violate the dialect are marked and counted, and gaps in the capture are reported. Several \
            files are read as one stream, in order of time. With --as scenario, it writes a scenario \
            that repeats the conversation.
            """)

    static let manual = CommandManual(
        examples: [
            "Show the IRC lines of one user": "linejudge decode chat.pcapng --operator alice",
            "Measure response times by command": "linejudge decode chat.pcapng --as latency",
            "Cut large captures down to the connections of one user":
                "linejudge decode trace-*.pcap --operator alice --slice alice.pcapng",
            "Turn a capture into a scenario that passes against a server":
                "linejudge decode chat.pcapng --as scenario -o chat.chat --server irc://127.0.0.1",
        ],
        exitCodes: [
            .failed:
                "a capture is damaged, or one of several is missing (everything readable was decoded); with --strict, a line violates the dialect; or the scenario does not pass",
            .inconclusive:
                "not a capture, nothing to decode or to write to a slice, or no line matches the filters",
            .usage:
                "invalid command line, or a command that is neither in the dialect nor in the capture",
            .unparsable: "the dialect does not parse",
            .noInput: "no such file",
            .interrupted: "interrupted (SIGINT); everything read so far is shown",
            .terminated: "terminated (SIGTERM or SIGHUP); everything read so far is shown",
        ],
        and: [.ok, .software],
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
        help: ArgumentHelp("Capture files, or - for standard input.", valueName: "files"),
        completion: .file(extensions: ["pcap", "pcapng", "cap", "gz", "zst"]))
    var paths: [String] = []

    /// True to show lines as they arrive.
    var isLive: Bool { decoding.follow || paths == ["-"] || live.interface != nil }

    /// True if the captures are regular files that are read as a set: several files, or one that
    /// may have to be read twice for a slice.
    private var readsFileSet: Bool {
        guard paths.count == 1, paths != ["-"] else { return paths.count > 1 }
        return display.slice != nil && !decoding.follow && CaptureFileSet.isRegular(paths[0])
    }

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

    private func validateSlice() throws {
        guard let slice = display.slice else { return }
        if display.anonymise {
            throw ValidationError(
                "--anonymise cannot be used with --slice, which writes the original packets")
        }
        if OutputFile.isStandardOutput(slice), display.format != .log || display.stats {
            let other = display.stats ? "--stats" : "--as \(display.format.rawValue)"
            throw ValidationError(
                "--slice - cannot be used with \(other): standard output has room for only one")
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
        var options = try options
        let input = try DecodeInput(paths, isFileSet: readsFileSet)
        if decoding.follow, case .capture(let capture) = input, capture.packing != nil {
            throw CommandFailure(
                .usage, .badOption, "--follow does not support compressed captures")
        }
        if case .files(let files) = input {
            display.colours.show(files.problems.filter { !display.quiet || $0.severity != .note })
            if paths.count > 1 { options.files = files.paths }
        }
        let job = DecodeJob(options, isStopped: stop)
        let (result, signal) = try await untilStopped(stop) {
            try await decode(input, job, chosen)
        }
        let (outcome, damage) = result
        if case .failure = outcome, let damage {
            throw CommandFailure(.inconclusive, Diagnosed(damage.diagnostics))
        }
        let decoded = try outcome.get()
        let summary = DecodeSummary(decoded, filters)
        display.colours.show(summary.diagnostics(isQuiet: display.quiet))
        if !display.quiet {
            Output.error.write(summary.line)
            if let slice = display.slice { Output.error.write(summary.sliceLine(slice) ?? "") }
        }
        if decoded.times != nil {
            let name = input.name ?? live.interface ?? ""
            try reports.write(decoded, name, display.colours.style(for: .standard))
        }
        if let transcript = decoded.transcript {
            let scenario = DecodedScenario(command: self, dialect: decoded.dialects.files[0])
            try await scenario.write(transcript, server)
        }
        if let signal { throw CommandFailure(signal.ending) }
        try summary.checkEnding(
            damage, isIncomplete: input.isIncomplete, isStrict: display.strict)
    }

    /// Decodes the captures or the interface's traffic.
    ///
    /// - Returns: The result, and the reason a compressed capture could not be fully
    ///   decompressed; nil if it could.
    private func decode(
        _ input: DecodeInput, _ job: DecodeJob, _ chosen: GivenDialects
    ) async throws -> (
        result: Result<DecodeOutcome, CommandFailure>, damage: CommandFailure?
    ) {
        switch input {
        case .interface: return (await LibpcapCapture.decode(live.request, job, chosen), nil)
        case .capture(let capture):
            return try await capture.decode { job.run($0, $1, path: capture.path, chosen) }
        case .files(let files):
            return (await files.decode(isStopped: job.isStopped) { job.run($0, chosen) }, nil)
        }
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
            options.slice = try display.slice.map { path throws(CommandFailure) in
                try SliceTarget(path, inputs: paths)
            }
            return options
        }
    }
}
