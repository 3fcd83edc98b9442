package import Console
import Diagnostics
import DialectFiles
import DialectModel
package import Results

/// A job that decodes captures and writes the output.
package struct DecodeJob: Sendable {
    package let options: DecodeOptions
    package let isStopped: SharedFlag
    /// True if a slice can be written in a second pass over the capture.
    private var canReadAgain = false

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
        if chosen.usual != nil {
            return .success(decode(PacketInput(source), DialectDecision(chosen)))
        }
        let builtIn = BuiltIn()
        var sampled = SampledSource(source)
        var best: DialectSearch.Candidate?
        do throws(CaptureError) {
            // With live traffic, do not wait for a full sample if less is enough for detection.
            while best == nil, try sampled.readMore() {
                guard sampled.isFull || !sampled.isReady else { continue }
                best = DialectSearch.best(sampled.sample, among: builtIn.candidates, reassembly)
                if sampled.isFull { break }
            }
        } catch {
            return .failure(CommandFailure(.inconclusive, Diagnosed(error.diagnostic)))
        }
        return decision(sampled.sample, builtIn, chosen, best).map {
            decode(PacketInput(sampled), $0)
        }
    }

    /// Decodes several captures, or one that can be read again, as one stream.
    package func run(
        _ files: any CaptureAccess, _ chosen: GivenDialects
    ) -> Result<DecodeOutcome, CommandFailure> {
        let order = MergeOrder(files)
        let decision: Result<DialectDecision, CommandFailure>
        if chosen.usual != nil {
            decision = .success(DialectDecision(chosen))
        } else {
            var input = PacketInput(files, order)
            input.keys = reassembly.keys
            let sample = input.sample(DialectSearch.sampleBytesMax)
            files.closeAll()
            decision = self.decision(sample, BuiltIn(), chosen, nil)
        }
        var job = self
        job.canReadAgain = true
        return decision.map { decision in
            var outcome = job.decode(PacketInput(files, order), decision)
            if let pending = outcome.pendingSlice {
                outcome.slice = job.write(pending, from: PacketInput(files, order))
            }
            return outcome
        }
    }

    /// The built-in dialects.
    private struct BuiltIn {
        let files = DialectLibrary.builtInNames.compactMap { name in
            (try? DialectLibrary.find(name)).map { (name: name, file: $0) }
        }

        var candidates: [(name: String, dialect: BoundDialect)] {
            files.map { (name: $0.name, dialect: BoundDialect.of($0.file)) }
        }
    }

    /// Detects the dialects from a sample. `best` is the dialect that matches it best, or nil if
    /// that is still to be determined.
    private func decision(
        _ sample: [UInt8], _ builtIn: BuiltIn, _ chosen: GivenDialects,
        _ best: DialectSearch.Candidate?
    ) -> Result<DialectDecision, CommandFailure> {
        let decision = DialectDecision(chosen, builtIn.files, sample, reassembly)
        guard options.format.isOfOneDialect else { return .success(decision) }
        if let most = decision.ofMost { return .success(most) }
        let best = best ?? DialectSearch.best(sample, among: builtIn.candidates, reassembly)
        guard let file = builtIn.files.first(where: { $0.name == best?.name ?? "plain" })?.file
        else {
            return .failure(
                CommandFailure(.software, .internalError, "the `plain` dialect is missing"))
        }
        var only = DialectDecision(file, guess: best.map { (0, $0) })
        only.isUnknown = best == nil
        return .success(only)
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
        let anonymiser = options.anonymises ? Anonymiser() : nil
        defer { if let anonymiser { showReplacements(anonymiser) } }
        switch options.format {
        case .log:
            return decodeSelected(
                input, LogWriter(StandardOutput(), dialects, logOptions(anonymiser)), decision)
        case .json:
            let writer = JSONLinesWriter(
                StandardOutput(), dialects, showsSecrets: options.showsSecrets,
                anonymiser: anonymiser, files: options.files)
            return decodeSelected(input, writer, decision)
        case .lines:
            let writer = LinesWriter(
                StandardOutput(), dialects, showsSecrets: options.showsSecrets,
                files: options.files)
            return decodeErased(input, writer, decision)
        case .ladder:
            let sink = LadderSink(bound, logOptions(anonymiser))
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
                StandardOutput(), logOptions(anonymiser), files: options.files)
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

    /// Decodes the selected part of the capture without specialising the decoder for the sink.
    private func decodeErased<Sink: ConversationSink>(
        _ input: PacketInput, _ sink: Sink, _ decision: DialectDecision,
        _ end: (Sink) -> Void = { _ in }
    ) -> DecodeOutcome {
        decodeSelected(input, ErasedSink(sink), decision) { erased in
            if let sink = erased.unwrapped(as: Sink.self) { end(sink) }
        }
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
        var outcome = run(input, ErasedSink(filter), decision, slice) { erased in
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
            let commenting = CommentingSink(
                sink, decision.set.dialects.map(\.dialect), job.collector,
                showsSecrets: self.options.showsSecrets)
            var decoder = CaptureDecoder(input, ErasedSink(commenting), decision.set, options)
            decoder.slice = job.collector
            outcome = run(decoder, decision) { erased in
                let commenting = erased.unwrapped(as: CommentingSink.self)
                if let sink = commenting?.sink.unwrapped(as: Sink.self) { end(sink) }
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
