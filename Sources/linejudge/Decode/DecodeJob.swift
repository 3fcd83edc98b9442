import DialectModel
import Capture
import Diagnostics
import DialectFiles
import Glibc
import LineProtocol
import Report
import Results
import Runner
import Synchronization

/// Decodes one capture and writes the output.
struct DecodeJob: Sendable {
    let command: DecodeCommand
    let selection: ConversationSelection
    let reassembly: ReassemblyOptions
    let isStopped: StopFlag

    /// Result of decoding.
    struct Outcome: Sendable {
        var counts: CaptureCounts
        var error: CaptureError?
        var dialects: DialectDecision
        /// Findings of filters, if there are any.
        var findings: SelectionFindings?
        /// The conversation, for a scenario.
        var transcript: TranscriptSink?
        /// Response times, if requested.
        var times: TimedCapture?
    }

    /// Decodes a file.
    func run(
        _ descriptor: Int32, _ start: [UInt8], path: String, _ chosen: GivenDialects
    ) -> Result<Outcome, CommandFailure> {
        let source = FileSource(
            descriptor: descriptor, path: path, start: start, follows: command.decoding.follow,
            isStopped: { isStopped.isSet })
        return run(source, chosen)
    }

    /// Decodes a source.
    func run<Source: SampleableSource>(
        _ source: Source, _ chosen: GivenDialects
    ) -> Result<Outcome, CommandFailure> {
        if chosen.usual != nil { return .success(decode(source, DialectDecision(chosen))) }
        let dialects = DialectLibrary.builtInNames.compactMap { name in
            (try? DialectLibrary.find(name)).map { (name: name, file: $0) }
        }
        let candidates = dialects.map { (name: $0.name, dialect: BoundDialect.of($0.file)) }
        var sampled = SampledSource(source)
        var best: DialectSearch.Candidate?
        do throws(CaptureError) {
            // Do not wait for more live traffic than detection needs.
            while best == nil, try sampled.readMore() {
                guard sampled.isFull || !sampled.isReady else { continue }
                best = DialectSearch.best(sampled.sample, among: candidates, reassembly)
                if sampled.isFull { break }
            }
        } catch {
            return .failure(CommandFailure(.inconclusive, Diagnosed(error.diagnostic)))
        }
        let decision = DialectDecision(chosen, dialects, sampled.sample, reassembly)
        guard command.isOfOneDialect else { return .success(decode(sampled, decision)) }
        if let most = decision.ofMost { return .success(decode(sampled, most)) }
        best = best ?? DialectSearch.best(sampled.sample, among: candidates, reassembly)
        guard let file = dialects.first(where: { $0.name == best?.name ?? "plain" })?.file
        else {
            return .failure(
                CommandFailure(.software, .internalError, "the dialect `plain` is missing"))
        }
        return .success(decode(sampled, DialectDecision(file, guess: best.map { (0, $0) })))
    }

    private func decode<Source: CaptureSource>(
        _ source: Source, _ decision: DialectDecision
    ) -> Outcome {
        let bound = decision.set.dialects
        let dialects = bound.map(\.dialect)
        if command.display.stats {
            let sink = SinkPerDialect(dialects.map { ConversationStatistics($0) })
            return decodeSelected(source, sink, decision) {
                Output.standard.write(DecodeFigures.text(dialects, $0.sinks))
            }
        }
        let anonymiser = command.display.anonymise ? Anonymiser() : nil
        defer { if let anonymiser { showReplacements(anonymiser) } }
        switch command.display.format {
        case .log:
            return decodeSelected(
                source, LogWriter(StandardOutput(), dialects, logOptions(anonymiser)), decision)
        case .json:
            let writer = JSONLinesWriter(
                StandardOutput(), dialects, showsSecrets: command.display.secrets,
                anonymiser: anonymiser)
            return decodeSelected(source, writer, decision)
        case .scenario:
            var transcript: TranscriptSink?
            var outcome = decodeSelected(source, TranscriptSink(dialects[0]), decision) {
                transcript = $0
            }
            outcome.transcript = transcript
            return outcome
        case .latency:
            var times: TimedCapture?
            let sink = ConversationLatencies(bound[0]) { TimedCapture($0) }
            var outcome = decodeSelected(source, sink, decision) { times = $0.receiver }
            outcome.times = times
            return outcome
        }
    }

    private func logOptions(_ anonymiser: Anonymiser?) -> LogOptions {
        var options = LogOptions()
        options.isColoured = command.display.colours.style(for: .standard).isColoured
        options.columns = Output.standard.columns
        options.times = command.display.time.times
        options.showsSecrets = command.display.secrets
        options.anonymiser = anonymiser
        return options
    }

    private func showReplacements(_ anonymiser: Anonymiser) {
        let parts = Anonymiser.Rule.allCases.compactMap { rule in
            anonymiser.counts[rule].map {
                "\(counted($0.texts, rule.words.one, rule.words.more)) in "
                    + counted($0.occurrences, "occurrence")
            }
        }
        let text = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        if !command.display.quiet { Output.error.write("replaced: \(text)\n") }
    }

    private func decodeSelected<Source: CaptureSource, Sink: ConversationSink>(
        _ source: Source, _ sink: Sink, _ decision: DialectDecision,
        _ end: (Sink) -> Void = { _ in }
    ) -> Outcome {
        guard !selection.isAll else {
            return run(source, sink, decision, end)
        }
        let filter = ConversationFilter(
            sink, decision.set.dialects.map(\.dialect), selection)
        var findings: SelectionFindings?
        var outcome = run(source, filter, decision) {
            findings = $0.findings
            end($0.sink)
        }
        outcome.findings = findings
        return outcome
    }

    private func run<Source: CaptureSource, Sink: ConversationSink>(
        _ source: Source, _ sink: Sink, _ decision: DialectDecision, _ end: (Sink) -> Void
    ) -> Outcome {
        var options = reassembly
        if !decision.onlyPorts.isEmpty { options.ports = decision.onlyPorts }
        var decoder = CaptureDecoder(source, sink, decision.set, options)
        decoder.isLive = command.isLive
        var failure: CaptureError?
        do throws(CaptureError) {
            try decoder.run { isStopped.isSet }
        } catch {
            // After a request to stop, a partial record is not damage.
            if !isStopped.isSet { failure = error }
        }
        decoder.finish()
        end(decoder.sink)
        return Outcome(counts: decoder.counts, error: failure, dialects: decision)
    }
}

/// Request to stop decoding, after a signal or a closed pipe.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}

/// Standard output as a sink of decoded text.
struct StandardOutput: TextSink {
    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        unsafe Output.standard.write(bytes)
    }
}

/// A source whose start is sampled to detect dialects.
struct SampledSource<Source: SampleableSource>: CaptureSource {
    private(set) var sample: [UInt8] = []
    private var given = 0
    private var source: Source

    init(_ source: Source) { self.source = source }

    var isFull: Bool { sample.count >= DialectSearch.sampleBytesMax }

    mutating func openReplacement() throws(CaptureError) -> Bool { try source.openReplacement() }

    /// Whether reading would not block.
    var isReady: Bool { source.isReady }

    /// Extends the sample; false at the end.
    mutating func readMore() throws(CaptureError) -> Bool {
        var room = [UInt8](repeating: 0, count: DialectSearch.sampleBytesMax - sample.count)
        var result: Result<Int, CaptureError> = .success(0)
        unsafe room.withUnsafeMutableBytes { room in
            do throws(CaptureError) {
                result = .success(unsafe try source.read(into: room))
            } catch {
                result = .failure(error)
            }
        }
        let count = try result.get()
        sample += room.prefix(count)
        return count > 0
    }

    mutating func read(into room: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
        guard given < sample.count else { return unsafe try source.read(into: room) }
        let count = min(room.count, sample.count - given)
        unsafe room.copyBytes(from: sample[given..<(given + count)])
        given += count
        return count
    }
}

extension Anonymiser.Rule {
    /// Singular and plural of what is replaced.
    fileprivate var words: (one: String, more: String) {
        switch self {
        case .name: ("name", "names")
        case .room: ("room", "rooms")
        case .host: ("host", "hosts")
        case .address: ("address", "addresses")
        case .email: ("e-mail address", "e-mail addresses")
        }
    }
}
