import Console
import Diagnostics
import DialectModel

/// The decoding of a capture whose dialects are known.
struct CaptureDecoding {
    let options: DecodeOptions
    let isStopped: SharedFlag
    /// True if a slice can be written in a second pass over the capture.
    let canReadAgain: Bool
    /// Anonymiser for the output and the slice; nil to leave names unchanged.
    let anonymiser: Anonymiser?

    private var selection: ConversationSelection { options.filters.selection }
    private var reassembly: ReassemblyOptions { options.reassembly }

    init(_ job: DecodeJob, canReadAgain: Bool = false) {
        options = job.options
        isStopped = job.isStopped
        self.canReadAgain = canReadAgain
        anonymiser =
            options.anonymises ? Anonymiser(replacesNumbers: options.slice != nil) : nil
    }

    /// Decodes the capture. Calls `open` once, or twice if the slice needs a second pass.
    func run(_ decision: DialectDecision, _ open: () -> PacketInput) -> DecodeOutcome {
        var outcome = decode(open(), decision)
        if let pending = outcome.pendingSlice {
            outcome.slice = write(pending, from: open())
        }
        showReplacements()
        return outcome
    }

    private func decode(_ input: PacketInput, _ decision: DialectDecision) -> DecodeOutcome {
        let bound = decision.set.dialects
        let dialects = bound.map(\.dialect)
        if options.showsStatistics {
            let sink = SinkPerDialect(dialects.map { ConversationStatistics($0) })
            return decodeErased(input, sink, decision) {
                Output.standard.write(DecodeFigures.text(dialects, $0.sinks))
            }
        }
        if options.slice?.isStandardOutput == true {
            return decodeErased(input, SilentSink(), decision)
        }
        if options.judges {
            return decode(input, CaptureJudge(bound[0]), decision, to: \.judgement) {
                $0.judgement
            }
        }
        if options.isForComparison {
            return decode(input, ComparableSink(bound[0]), decision, to: \.comparable) {
                $0.capture
            }
        }
        switch options.format {
        case .log:
            var log = logOptions
            log.secrets = unfilteredFinder(decision)
            return decodeSelected(input, LogWriter(StandardOutput(), dialects, log), decision)
        case .json:
            let writer = JSONLinesWriter(
                StandardOutput(), dialects, showsSecrets: options.showsSecrets,
                secrets: unfilteredFinder(decision), anonymiser: anonymiser, files: options.files)
            return decodeSelected(input, writer, decision)
        case .lines:
            let writer = LinesWriter(
                StandardOutput(), dialects, showsSecrets: options.showsSecrets,
                files: options.files)
            return decodeErased(input, writer, decision)
        case .ladder:
            let sink = LadderSink(bound, logOptions)
            return decode(input, sink, decision, to: \.ladder) { $0.ladder }
        case .connections:
            return decodeErased(input, ConnectionsSink(anonymiser), decision) {
                Output.standard.write($0.text)
            }
        case .scenario:
            return decode(input, TranscriptSink(dialects[0]), decision, to: \.transcript) { $0 }
        case .latency:
            let sink = ConversationLatencies(bound[0]) { TimedCapture($0) }
            return decode(input, sink, decision, to: \.times) { $0.receiver as? TimedCapture }
        case .deliveries:
            let writer = DeliveriesText(
                StandardOutput(), logOptions, files: options.files)
            return decode(
                input, DeliveriesSink(bound[0], writer), decision, to: \.deliveries
            ) { $0.counts }
        case .deliveriesJSON:
            let writer = DeliveriesJSON(StandardOutput(), files: options.files)
            return decode(
                input, DeliveriesSink(bound[0], writer), decision, to: \.deliveries
            ) { $0.counts }
        }
    }

    /// Decodes the selected part of the capture, and stores what the sink has found in the outcome.
    private func decode<Sink: ConversationSink, Found>(
        _ input: PacketInput, _ sink: Sink, _ decision: DialectDecision,
        to property: WritableKeyPath<DecodeOutcome, Found?>, found: (Sink) -> Found?
    ) -> DecodeOutcome {
        var value: Found?
        var outcome = decodeErased(input, sink, decision) { value = found($0) }
        outcome[keyPath: property] = value
        return outcome
    }

    private var logOptions: LogOptions {
        var log = LogOptions()
        log.isColoured = options.isColoured
        log.columns = options.columns
        log.times = options.times
        log.showsSecrets = options.showsSecrets
        log.anonymiser = anonymiser
        return log
    }

    private func showReplacements() {
        guard let anonymiser, !options.isQuiet else { return }
        let parts = Anonymiser.Rule.allCases.compactMap { rule in
            anonymiser.counts[rule].map {
                "\(counted($0.texts, rule.words.one, rule.words.more)) "
                    + "(\(counted($0.occurrences, "occurrence")))"
            }
        }
        let text = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        Output.error.write("replaced: \(text)\n")
    }

    /// Decodes the selected part of the capture without specialising the decoder for the sink.
    private func decodeErased<Sink: ConversationSink>(
        _ input: PacketInput, _ sink: Sink, _ decision: DialectDecision,
        _ end: (Sink) -> Void = { _ in }
    ) -> DecodeOutcome {
        let observed = ErasedSink(sink, observer: unfilteredFinder(decision))
        return decodeSelected(input, observed, decision) { erased in
            if let sink = erased.unwrapped(as: Sink.self) { end(sink) }
        }
    }

    /// Returns a finder that masks secrets in all output after they were found; nil if secrets are
    /// to be shown.
    private func secretFinder(_ decision: DialectDecision) -> SecretFinder? {
        if options.showsSecrets { return nil }
        return SecretFinder(decision.set.dialects.map(\.dialect)) { Redaction.hideLearned($0) }
    }

    /// Returns the finder for a sink that receives every line; nil if a filter stands before it.
    private func unfilteredFinder(_ decision: DialectDecision) -> SecretFinder? {
        selection.isAll ? secretFinder(decision) : nil
    }

    private func decodeSelected<Sink: SpecialisedSink>(
        _ input: PacketInput, _ sink: Sink, _ decision: DialectDecision,
        _ end: (Sink) -> Void = { _ in }
    ) -> DecodeOutcome {
        let slice = options.slice.map { _ in selection.slice }
        guard !selection.isAll else { return run(input, sink, decision, slice, end) }
        var filter = ConversationFilter(
            ErasedSink(sink), decision.set.dialects.map(\.dialect), selection)
        if let slice, !slice.isComplete { filter.shownConnections = slice }
        var findings: SelectionFindings?
        // Lines that are not shown may contain secrets that others repeat.
        let observed = ErasedSink(filter, observer: secretFinder(decision))
        var outcome = run(input, observed, decision, slice) { erased in
            let filter = erased.unwrapped(as: ConversationFilter<ErasedSink>.self)
            findings = filter?.findings
            if let sink = filter?.sink.unwrapped(as: Sink.self) { end(sink) }
        }
        outcome.findings = findings
        return outcome
    }

    private func run<Sink: SpecialisedSink>(
        _ input: PacketInput, _ sink: Sink, _ decision: DialectDecision, _ slice: SliceSelection?,
        _ end: (Sink) -> Void
    ) -> DecodeOutcome {
        var options = reassembly
        if !decision.onlyPorts.isEmpty { options.ports = decision.onlyPorts }
        // Until the end of the first pass, lines may select further connections.
        let isPending = canReadAgain && slice?.isComplete == false
        let job = isPending ? nil : slice.flatMap { sliceJob($0) }
        var outcome: DecodeOutcome
        if let job {
            var decoder = CaptureDecoder(
                input, ErasedSink(slicing(sink, decision.set, job)), decision.set, options)
            decoder.slice = job.collector
            outcome = run(decoder, decision) { erased in
                let slicing = erased.unwrapped(as: SlicingSink.self)
                if let sink = slicing?.sink.unwrapped(as: Sink.self) { end(sink) }
            }
        } else {
            outcome = run(CaptureDecoder(input, sink, decision.set, options), decision, end)
        }
        outcome.slice = job?.finish(isKept: true)
        if isPending, let slice {
            outcome.pendingSlice = PendingSlice(
                connections: slice.numbers, dialects: outcome.dialects.set, reassembly: options)
        }
        return outcome
    }

    private func run<Sink: SpecialisedSink>(
        _ decoder: consuming CaptureDecoder<Sink>, _ decision: DialectDecision,
        _ end: (Sink) -> Void
    ) -> DecodeOutcome {
        decoder.isLive = options.isLive
        var errors: [CaptureError] = []
        do throws(CaptureError) {
            try decoder.run { isStopped.isSet }
        } catch {
            errors = [error]
        }
        decoder.finish()
        end(decoder.sink)
        errors += decoder.failures.map { named($0.error, $0.file) }
        // After a stop request, a partial record does not mean that the capture is damaged.
        if isStopped.isSet { errors = [] }
        var dialects = decision
        dialects.add(decoder.ports)
        return DecodeOutcome(
            counts: decoder.counts, errors: errors, dialects: dialects, keys: reassembly.keys)
    }

    /// Returns the error, with its file's name added if there are several files.
    private func named(_ error: CaptureError, _ file: Int) -> CaptureError {
        options.files.indices.contains(file) ? error.inFile(options.files[file]) : error
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
