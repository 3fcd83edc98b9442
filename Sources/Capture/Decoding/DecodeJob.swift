package import Console
import Diagnostics
import DialectFiles
import DialectModel
package import Results

/// A job that decodes one capture and writes the output.
package struct DecodeJob: Sendable {
    package let options: DecodeOptions
    package let isStopped: SharedFlag

    private var selection: ConversationSelection { options.filters.selection }
    private var reassembly: ReassemblyOptions { options.reassembly }

    package init(_ options: DecodeOptions, isStopped: SharedFlag) {
        self.options = options
        self.isStopped = isStopped
    }

    /// Decodes a capture file.
    package func run(
        _ descriptor: Int32, _ start: [UInt8], path: String, _ chosen: GivenDialects
    ) -> Result<DecodeOutcome, CommandFailure> {
        let source = FileSource(
            descriptor: descriptor, path: path, start: start, follows: options.follows,
            isStopped: { isStopped.isSet })
        return run(source, chosen)
    }

    /// Decodes a capture from a source.
    package func run<Source: SampleableSource>(
        _ source: Source, _ chosen: GivenDialects
    ) -> Result<DecodeOutcome, CommandFailure> {
        if chosen.usual != nil { return .success(decode(source, DialectDecision(chosen))) }
        let dialects = DialectLibrary.builtInNames.compactMap { name in
            (try? DialectLibrary.find(name)).map { (name: name, file: $0) }
        }
        let candidates = dialects.map { (name: $0.name, dialect: BoundDialect.of($0.file)) }
        var sampled = SampledSource(source)
        var best: DialectSearch.Candidate?
        do throws(CaptureError) {
            // With live traffic, wait no longer than detection requires.
            while best == nil, try sampled.readMore() {
                guard sampled.isFull || !sampled.isReady else { continue }
                best = DialectSearch.best(sampled.sample, among: candidates, reassembly)
                if sampled.isFull { break }
            }
        } catch {
            return .failure(CommandFailure(.inconclusive, Diagnosed(error.diagnostic)))
        }
        let decision = DialectDecision(chosen, dialects, sampled.sample, reassembly)
        guard options.format.isOfOneDialect else { return .success(decode(sampled, decision)) }
        if let most = decision.ofMost { return .success(decode(sampled, most)) }
        best = best ?? DialectSearch.best(sampled.sample, among: candidates, reassembly)
        guard let file = dialects.first(where: { $0.name == best?.name ?? "plain" })?.file
        else {
            return .failure(
                CommandFailure(.software, .internalError, "the `plain` dialect is missing"))
        }
        return .success(decode(sampled, DialectDecision(file, guess: best.map { (0, $0) })))
    }

    private func decode<Source: CaptureSource>(
        _ source: Source, _ decision: DialectDecision
    ) -> DecodeOutcome {
        let bound = decision.set.dialects
        let dialects = bound.map(\.dialect)
        if options.showsStatistics {
            let sink = SinkPerDialect(dialects.map { ConversationStatistics($0) })
            return decodeSelected(source, sink, decision) {
                Output.standard.write(DecodeFigures.text(dialects, $0.sinks))
            }
        }
        let anonymiser = options.anonymises ? Anonymiser() : nil
        defer { if let anonymiser { showReplacements(anonymiser) } }
        switch options.format {
        case .log:
            return decodeSelected(
                source, LogWriter(StandardOutput(), dialects, logOptions(anonymiser)), decision)
        case .json:
            let writer = JSONLinesWriter(
                StandardOutput(), dialects, showsSecrets: options.showsSecrets,
                anonymiser: anonymiser)
            return decodeSelected(source, writer, decision)
        case .lines:
            let writer = LinesWriter(
                StandardOutput(), dialects, showsSecrets: options.showsSecrets)
            return decodeSelected(source, writer, decision)
        case .connections:
            return decodeSelected(source, ConnectionsSink(anonymiser), decision) {
                Output.standard.write($0.text)
            }
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
        var log = LogOptions()
        log.isColoured = options.isColoured
        log.columns = options.columns
        log.times = options.times
        log.showsSecrets = options.showsSecrets
        log.anonymiser = anonymiser
        return log
    }

    private func showReplacements(_ anonymiser: Anonymiser) {
        let parts = Anonymiser.Rule.allCases.compactMap { rule in
            anonymiser.counts[rule].map {
                "\(counted($0.texts, rule.words.one, rule.words.more)) "
                    + "(\(counted($0.occurrences, "occurrence")))"
            }
        }
        let text = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        if !options.isQuiet { Output.error.write("replaced: \(text)\n") }
    }

    private func decodeSelected<Source: CaptureSource, Sink: ConversationSink>(
        _ source: Source, _ sink: Sink, _ decision: DialectDecision,
        _ end: (Sink) -> Void = { _ in }
    ) -> DecodeOutcome {
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
    ) -> DecodeOutcome {
        var options = reassembly
        if !decision.onlyPorts.isEmpty { options.ports = decision.onlyPorts }
        var decoder = CaptureDecoder(source, sink, decision.set, options)
        decoder.isLive = self.options.isLive
        var failure: CaptureError?
        do throws(CaptureError) {
            try decoder.run { isStopped.isSet }
        } catch {
            // After a stop request, a partial record does not mean that the capture is damaged.
            if !isStopped.isSet { failure = error }
        }
        decoder.finish()
        end(decoder.sink)
        var dialects = decision
        dialects.add(decoder.ports)
        return DecodeOutcome(counts: decoder.counts, error: failure, dialects: dialects)
    }
}

/// Standard output as a text sink.
struct StandardOutput: TextSink {
    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        unsafe Output.standard.write(bytes)
    }
}

extension Anonymiser.Rule {
    /// Singular and plural noun for the values that this rule replaces.
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
