import Capture
import Console
import Diagnostics
import LiveCapture
import Recorder
import Report
import Results
import Transport

/// One run of the `decode` command, from captures to output and exit code.
package struct DecodeRun {
    private let request: DecodeRequest

    private var options: DecodeOptions { request.options }

    package init(_ request: DecodeRequest) { self.request = request }

    /// Decodes the captures and writes everything that was requested.
    ///
    /// - Throws: A failure with the exit code, unless everything could be decoded.
    package func run() async throws {
        let server = try request.verification.server.map { text throws(CommandFailure) in
            try DecodedScenario.server(text)
        }
        let chosen = try GivenDialects(request.dialects, server?.dialect)
        try checkDialects(chosen)
        let reports = CaptureReports(request.reports)
        try reports.prepare()
        if options.format == .scenario { try ScenarioWriting.check(request.scenario) }
        let page = LadderPage(request)
        if options.format == .ladder { try page.prepare() }
        let run = try await decoded(chosen)
        let (decoded, summary) = (run.outcome, run.summary)
        show(summary)
        let name = run.input.name ?? request.interface?.interface ?? ""
        if let ladder = decoded.ladder { try page.write(ladder, decoded, name) }
        if decoded.times != nil {
            try reports.write(decoded, name, request.colours.style(for: .standard))
        }
        if let transcript = decoded.transcript {
            let scenario = DecodedScenario(request: request, dialect: decoded.dialects.files[0])
            try await scenario.write(transcript, server)
        }
        if let signal = run.signal { throw CommandFailure(signal.ending) }
        try summary.checkEnding(
            run.damage, isIncomplete: run.input.isIncomplete, isStrict: request.isStrict,
            expectsDeliveries: request.expectsDeliveries,
            showsConnections: request.options.format == .connections)
    }

    /// Decoded captures.
    struct Decoded {
        var outcome: DecodeOutcome
        var summary: DecodeSummary
        var input: DecodeInput
        /// Names of the captures by index; empty if there is only one.
        var files: [String]
        /// The reason a compressed capture could not be fully decompressed; nil if it could.
        var damage: CommandFailure?
        /// The signal that ended the decoding early; nil if none did.
        var signal: Int32?

        /// Adds the name of the capture to errors, if it is the only one.
        mutating func nameErrors(in file: String, _ filters: CaptureFilters) {
            guard files.isEmpty, !outcome.errors.isEmpty else { return }
            outcome.errors = outcome.errors.map { $0.inFile(file) }
            summary = DecodeSummary(outcome, filters)
        }

        /// True if part of the captures could not be read.
        var isDamaged: Bool {
            damage != nil || input.isIncomplete || !outcome.errors.isEmpty
                || outcome.counts.damagedPackets > 0
        }
    }

    /// Decodes the captures.
    ///
    /// - Throws: A failure if nothing could be decoded.
    func decoded() async throws -> Decoded {
        try await decoded(try GivenDialects(request.dialects, nil))
    }

    private func decoded(_ chosen: GivenDialects) async throws -> Decoded {
        let stop = SharedFlag()
        var options = try completeOptions()
        let input = try openInput()
        if case .files(let files) = input {
            request.colours.show(
                files.problems.filter { !options.isQuiet || $0.severity != .note })
            if request.paths.count > 1 { options.files = files.paths }
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
        return Decoded(
            outcome: decoded, summary: DecodeSummary(decoded, options.filters), input: input,
            files: options.files, damage: damage, signal: signal)
    }

    private func checkDialects(_ chosen: GivenDialects) throws(CommandFailure) {
        if options.follows || request.interface != nil {
            request.colours.show(chosen.doubts(on: options.filters.commands))
        }
        guard options.format.isOfOneDialect, chosen.files.count > 1 || !chosen.ports.isEmpty else {
            return
        }
        throw CommandFailure(
            .usage, .badOption, "--as \(options.format.rawValue) supports only one dialect",
            help: "pass one --dialect NAME and select its servers with --port")
    }

    private func completeOptions() throws(CommandFailure) -> DecodeOptions {
        var options = options
        options.filters.packets = request.packetFilter
        if let filter = request.packetFilter, request.interface == nil {
            options.reassembly.packets = try LibpcapCapture.filter(filter)
        }
        options.reassembly.keys = try TLSKeys.keys(in: request.keys)
        options.slice = try request.slice.map { path throws(CommandFailure) in
            try SliceTarget(path, inputs: request.paths + [request.keys].compactMap(\.self))
        }
        return options
    }

    private func openInput() throws(CommandFailure) -> DecodeInput {
        let input = try DecodeInput(request)
        if options.follows, case .capture(let capture) = input, capture.packing != nil {
            throw CommandFailure(
                .usage, .badOption, "--follow does not support compressed captures")
        }
        return input
    }

    private func show(_ summary: DecodeSummary) {
        request.colours.show(summary.diagnostics(isQuiet: options.isQuiet))
        guard !options.isQuiet else { return }
        Output.error.write(summary.line)
        if let slice = request.slice { Output.error.write(summary.sliceLine(slice) ?? "") }
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
        case .interface(let interface):
            return (await LibpcapCapture.decode(interface, job, chosen), nil)
        case .capture(let capture):
            return try await capture.decode(isStopped: job.isStopped) {
                job.run($0, $1, path: capture.path, chosen)
            }
        case .files(let files):
            return (await files.decode(isStopped: job.isStopped) { job.run($0, chosen) }, nil)
        }
    }

    /// Decodes to the end, or until stopped by a signal or the time limit. Returns the result and
    /// the signal, if any.
    private func untilStopped<Result: Sendable>(
        _ stop: SharedFlag, _ decode: () async throws -> Result
    ) async throws -> (Result, signal: Int32?) {
        let interruptions = Interruptions()
        let duration = request.duration
        return try await withThrowingTaskGroup(of: Int32?.self) { group in
            group.addTask {
                let signal = await interruptions.next()
                if signal != nil { stop.set() }
                return signal
            }
            if let duration {
                group.addTask {
                    try? await Task.sleep(nanoseconds: UInt64(clamping: duration))
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
}
