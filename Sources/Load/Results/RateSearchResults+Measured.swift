package import Results

extension RateSearchResults.Step {
    /// Creates a step of a rate search, with its measurements.
    package init(
        _ results: LoadResults, _ rate: Double, _ purpose: RateSearch.Purpose,
        _ outcome: RateSearch.Outcome
    ) {
        self.init(
            ratePerSecond: rate, purpose: purpose.rawValue, outcome: outcome,
            achievedPerSecond: results.traffic.rate, thresholds: results.thresholds,
            reasons: results.reasons)
        let server = (results.processes ?? []).first { $0.role == "server" }
        serverCores = results.cores(of: "server")
        serverThreads = server?.samples.map(\.threads).max()
        generatorCores = results.cores(of: "generator")
        serverMemoryBytes = results.serverMemory
        machineMemoryBytes = results.machine?.memoryBytes
        serverFiles = server?.samples.compactMap(\.files).max()
        serverFilesMax = server?.filesMax
        receiveQueueBytes = server?.samples.compactMap(\.sockets?.receiveQueueBytes).max()
        listenOverflows = results.generator.listenOverflows
    }

    /// Minimum share of the available processors that counts as saturated.
    private static let saturatedShare = 0.9
    /// Minimum number of unread bytes that counts as a queue.
    private static let queueBytesMin: UInt64 = 262_144

    /// Returns a description of the saturated resources; nil if they are unknown.
    func saturation(processors: Int, isBoundByGenerator: Bool) -> String? {
        let all =
            saturatedLimits
            + [processorUse(processors: processors, isBoundByGenerator: isBoundByGenerator)]
            .compactMap(\.self)
        return all.isEmpty ? nil : all.joined(separator: "; ")
    }

    /// Limits other than CPU that the server reached.
    private var saturatedLimits: [String] {
        var limits: [String] = []
        if let files = serverFiles, let most = serverFilesMax,
            Double(files) >= Double(most) * Self.saturatedShare
        {
            limits.append("the server had \(files) of at most \(most) files open")
        }
        if let memory = serverMemoryBytes, let all = machineMemoryBytes,
            Double(memory) >= Double(all) * Self.saturatedShare
        {
            limits.append(
                "the server used \(memory >> 20) of this machine's \(all >> 20) MiB of memory")
        }
        if let overflows = listenOverflows, overflows > 0 {
            limits.append(
                "the server's accept queue was full: \(overflows) connection attempts were dropped")
        }
        if let bytes = receiveQueueBytes, bytes >= Self.queueBytesMin {
            limits.append("the server left up to \(bytes >> 10) KiB unread in its sockets")
        }
        return limits
    }

    /// Returns a description of the use of the CPUs; nil if it is unknown.
    private func processorUse(processors: Int, isBoundByGenerator: Bool) -> String? {
        let all = Double(max(processors, 1))
        let own = generatorCores.map { ", the generator \(Self.text($0))" } ?? ""
        guard let server = serverCores else {
            guard let generator = generatorCores else { return nil }
            let isFull = generator >= all * Self.saturatedShare || isBoundByGenerator
            return isFull
                ? "the generator used \(Self.text(generator)) of \(processors) cores" : nil
        }
        if server >= all * Self.saturatedShare {
            return "the server used \(Self.text(server)) of \(processors) cores"
        }
        if server + (generatorCores ?? 0) >= all * Self.saturatedShare {
            return
                "the server used \(Self.text(server)) of this machine's \(processors) cores\(own)"
        }
        if let threads = serverThreads, server >= Double(threads) * Self.saturatedShare {
            let noun = threads == 1 ? "only thread" : "\(threads) threads"
            return "the server's \(noun) used \(Self.text(server)) of \(processors) cores"
        }
        return
            "CPU was not the bottleneck: the server used \(Self.text(server)) of \(processors) "
            + "cores\(own)"
    }

    /// Formats a number of cores with two decimals.
    private static func text(_ cores: Double) -> String {
        let hundredths = cores.isFinite ? Int((min(max(cores, 0), 1e6) * 100).rounded()) : 0
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension RateSearchResults {
    /// Creates the results of a finished search.
    package init(
        _ search: RateSearch, _ steps: [RateSearchResults.Step], _ thresholds: [String],
        processors: Int
    ) {
        let isBoundByGenerator = search.bound?.outcome == .inconclusive
        let broken = steps.last { $0.ratePerSecond == search.bound?.rate }
        self.init(
            thresholds: thresholds, steps: steps, ratePerSecond: search.best,
            isConfirmed: search.confirmed != nil, brokenPerSecond: search.bound?.rate,
            isBoundByGenerator: isBoundByGenerator,
            saturation: broken?.saturation(
                processors: processors, isBoundByGenerator: isBoundByGenerator))
    }
}

extension LoadResults {
    /// Changes a passed verdict to inconclusive, because the rate was not confirmed.
    package mutating func withholdPass() {
        guard verdict == .passed else { return }
        verdict = .inconclusive
        reasons.append("the rate was not confirmed")
    }
}
