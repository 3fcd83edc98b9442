import ArgumentParser
import Capture
import Diagnostics
import DialectFiles
import LineProtocol
import Report
import Results
import Runner
import Transport

/// `linejudge decode`
struct DecodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Turn captured traffic into a readable log of commands.",
        usage: "linejudge decode [OPTIONS] FILE",
        discussion: """
            Reads pcap and pcapng, also compressed with gzip or zstd, puts the TCP streams together and \
            shows each line as the dialect's command with its arguments. What breaks the dialect is \
            marked and counted; what the capture lacks is said. With --as scenario it becomes a scenario.

            Exit codes:
              0    decoded
              1    the capture is damaged: what could be read was decoded; with --strict, a line breaks \
            the dialect; or the scenario does not pass
              2    it is no capture, there was nothing to be decoded, or nothing of it was asked for
              64   the command line is wrong, or it asks for a command that there is not
              65   the dialect does not parse
              66   there is no such file
              130  ended by SIGINT, 143 by SIGTERM; what was read is shown
            """)

    @OptionGroup(title: "How it is decoded") var decoding: DecodingOptions
    @OptionGroup(title: "Live traffic") var live: InterfaceOptions
    @OptionGroup(title: "What is shown") var conversation: ConversationOptions
    @OptionGroup(title: "How it is shown") var showing: ConversationShowing
    @OptionGroup(title: "The scenario") var scenario: ScenarioWritingOptions
    @OptionGroup(title: "The scenario") var verifying: VerifyingOptions

    @ArgumentParser.Argument(
        help: ArgumentHelp("A capture, or - for standard input.", valueName: "file"))
    var path: String?

    /// Whether what is made of the capture can be of one dialect only.
    var isOfOneDialect: Bool { showing.format == .scenario || showing.format == .latency }

    /// Whether lines are shown as they come.
    var isLive: Bool { decoding.follow || path == "-" || live.interface != nil }

    func validate() throws {
        if (path == nil) == (live.interface == nil) {
            throw ValidationError(
                path == nil
                    ? "a capture is needed, or --interface"
                    : "a capture and --interface exclude each other")
        }
        if showing.stats, showing.format == .json {
            throw ValidationError("--stats has no JSON form")
        }
        if !showing.report.isEmpty, showing.format != .latency {
            throw ValidationError("--report needs --as latency")
        }
        if showing.format == .latency {
            if showing.stats { throw ValidationError("--stats is a table of its own") }
            if showing.anonymise { throw ValidationError("--as latency shows no names") }
            try validateStandardOutput(
                takes: showing.report.count(where: \.goesToStandardOutput))
        }
        guard showing.format == .scenario else {
            if scenario.output != "-" { throw ValidationError("--output needs --as scenario") }
            if verifying.isWanted {
                throw ValidationError("--server and --verify need --as scenario")
            }
            return
        }
        if showing.stats { throw ValidationError("--stats makes no scenario") }
        if showing.anonymise { throw ValidationError("--anonymise makes no scenario") }
    }

    func run() async throws {
        let server = try verifying.server.map { text throws(CommandFailure) in
            try DecodedScenario.server(text)
        }
        let chosen = try ChosenDialects(decoding.dialect, server?.dialect)
        if !showing.quiet, decoding.follow || live.interface != nil {
            tell(chosen.doubts(on: conversation.command))
        }
        if isOfOneDialect, chosen.files.count > 1 || !chosen.ports.isEmpty {
            throw CommandFailure(
                .usage, .badOption, "--as \(showing.format.rawValue) is of one dialect",
                help: "say --dialect NAME, and --port NUMBER for its servers")
        }
        let reports = CaptureReports(showing.report)
        try reports.prepare()
        if showing.format == .scenario { try ScenarioWriting.check(scenario) }
        let stop = StopFlag()
        let play = DecodeJob(
            command: self, selection: selection, reassembly: try reassembly, isStopped: stop)
        let opening = try path.map { path throws(CommandFailure) in try CaptureOpening(path) }
        if decoding.follow, opening?.packing != nil {
            throw CommandFailure(
                .usage, .badOption, "--follow cannot go on in a compressed capture")
        }
        let (played, signal) = try await untilStopped(stop) {
            try await decode(opening, play, chosen)
        }
        let (outcome, damage) = played
        if case .failure = outcome, let damage {
            throw CommandFailure(.inconclusive, Diagnosed(damage.diagnostics))
        }
        let decoded = try outcome.get()
        tell(decoded)
        if decoded.times != nil {
            let name = opening?.path ?? live.interface ?? ""
            try reports.write(decoded, name, showing.colours.style(for: .standard))
        }
        if let transcript = decoded.transcript {
            let scenario = DecodedScenario(command: self, dialect: decoded.dialects.files[0])
            try await scenario.write(transcript, server)
        }
        try end(decoded, damage, signal)
    }

    /// Decodes the capture, or what goes over the interface; `damage`: why not all of it could be unpacked.
    private func decode(
        _ opening: CaptureOpening?, _ play: DecodeJob, _ chosen: ChosenDialects
    ) async throws -> (
        result: Result<DecodeJob.Outcome, CommandFailure>, damage: CommandFailure?
    ) {
        guard let opening else {
            return (await SystemCapture.decode(live, filter: decoding.bpf, play, chosen), nil)
        }
        return try await opening.decode { play.run($0, $1, path: opening.path, chosen) }
    }

    /// Decodes until the end, or until an end is wanted, and tells which signal wanted it.
    private func untilStopped<Result: Sendable>(
        _ stop: StopFlag, _ decode: () async throws -> Result
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

    private func tell(_ notes: [Diagnostic]) {
        guard !notes.isEmpty else { return }
        let renderer = DiagnosticRenderer(
            isColoured: showing.colours.style(for: .error).isColoured)
        Output.error.write(renderer.text(notes))
    }

    private func tell(_ outcome: DecodeJob.Outcome) {
        let summary = DecodeSummary(outcome: outcome)
        let unknown = unknownCommands(outcome)
        var notes = summary.diagnostics
        if outcome.dialects.isGuess, outcome.counts.conversation.lines > 0 {
            notes = summary.guesses + notes
        }
        if unknown.isEmpty, let nothing = NothingFits(command: self, outcome: outcome).diagnostic {
            notes.append(nothing)
        }
        tell(showing.quiet ? notes.filter { $0.severity == .error } : notes)
        if !showing.quiet { Output.error.write(summary.line) }
    }

    /// Commands that no dialect has and no line of the capture begins with.
    private func unknownCommands(_ outcome: DecodeJob.Outcome) -> [Diagnostic] {
        guard let findings = outcome.findings else { return [] }
        let words = UnknownCommands(dialects: outcome.dialects.files).among(conversation.command)
        let spoken = outcome.dialects.spoken
        let nearest = UnknownCommands(dialects: spoken.isEmpty ? outcome.dialects.files : spoken)
        return words.filter { !findings.verbs.contains($0) }.map {
            nearest.diagnostic($0, .error, ", and no line begins with that word")
        }
    }

    private func end(
        _ outcome: DecodeJob.Outcome, _ damage: CommandFailure?, _ signal: Int32?
    ) throws {
        if let signal { throw CommandFailure(signal == 15 ? .terminated : .interrupted) }
        if damage != nil || outcome.error != nil {
            throw CommandFailure(
                outcome.counts.packets.packets == 0 ? .inconclusive : .failed,
                Diagnosed(damage?.diagnostics ?? []))
        }
        let unknown = unknownCommands(outcome)
        guard unknown.isEmpty else { throw CommandFailure(.usage, Diagnosed(unknown)) }
        if outcome.counts.conversation.lines == 0
            || NothingFits(command: self, outcome: outcome).isSo
        {
            throw CommandFailure(.inconclusive)
        }
        if showing.strict, outcome.counts.conversation.broken > 0 { throw CommandFailure(.failed) }
    }

    private var selection: ConversationSelection {
        var selection = ConversationSelection()
        selection.commands = Set(conversation.command)
        selection.operators = Set(conversation.operatorName.map { Array($0.utf8) })
        selection.connections = Set(conversation.connection)
        selection.from = conversation.from?.moment
        selection.to = conversation.to?.moment
        return selection
    }

    private var reassembly: ReassemblyOptions {
        get throws(CommandFailure) {
            var options = ReassemblyOptions()
            options.ports = Set(decoding.port)
            options.lastCounts = decoding.overlap == .last
            if let bpf = decoding.bpf, live.interface == nil {
                options.packets = try SystemCapture.filter(bpf)
            }
            return options
        }
    }
}
