package import Console
import Diagnostics
import DialectFiles
import DialectModel
package import Results

/// A job that decodes captures and writes the output.
package struct DecodeJob: Sendable {
    package let options: DecodeOptions
    package let isStopped: SharedFlag

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
            return .success(
                CaptureDecoding(self).run(DialectDecision(chosen)) { PacketInput(source) })
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
            CaptureDecoding(self).run($0) { PacketInput(sampled) }
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
        return decision.map {
            CaptureDecoding(self, canReadAgain: true).run($0) { PacketInput(files, order) }
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
}
