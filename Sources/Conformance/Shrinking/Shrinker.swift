import Session

/// Makes what fails smaller as long as it fails in the same way: first steps, then people, then bytes.
struct Shrinker {
    /// How many smaller forms are tried at most.
    static let triesMax = 24
    /// How long is tried at most.
    static let timeMax = Duration.seconds(15)
    /// How long a shorter wait is, in nanoseconds.
    static let shortPatience: Int64 = 2_000_000_000

    let judge: CaseJudge
    let check: Check
    let options: CheckOptions

    /// The smallest form that was found.
    func shrunk(_ failed: CaseOutcome) async -> CaseOutcome {
        guard case .failed(let finding) = failed.judgement else { return failed }
        var found = failed
        var smallest = failed.play
        let patience = smallest.patience
        smallest.patience = min(patience, Self.shortPatience)
        var tries = 0
        let clock = ContinuousClock()
        let begin = clock.now
        var place = smallest.steps.count - 1
        // From the end, so that what is left over of an earlier step goes with it.
        while place >= 0, tries < Self.triesMax, clock.now - begin < Self.timeMax, !Task.isCancelled
        {
            defer { place -= 1 }
            guard place < smallest.steps.count else { continue }
            for candidate in Self.candidates(smallest, place) {
                tries += 1
                guard let outcome = await fails(candidate, finding, tries) else { continue }
                found = outcome
                smallest = candidate
                break
            }
        }
        smallest.patience = patience
        found.play = smallest
        return found
    }

    private func fails(_ play: CheckCase, _ finding: Finding, _ tries: Int) async -> CaseOutcome? {
        // Other names, so that no ghost of the play before is in the way.
        let fresh = play.renamed(seed: options.seed &+ UInt64(tries))
        let outcome = await judge.outcome(of: fresh, check, seed: options.seed)
        guard case .failed(let again) = outcome.judgement else { return nil }
        return again.kind == finding.kind ? outcome : nil
    }

    /// Smaller forms that do without a step: all that somebody does, or the step alone.
    private static func candidates(_ play: CheckCase, _ place: Int) -> [CheckCase] {
        let step = play.steps[place]
        var result: [CheckCase] = []
        if step.role == .setup, let handle = step.handle, handle != "alice",
            !play.steps.contains(where: { $0.role == .stimulus && $0.handle == handle })
        {
            var without = play
            without.steps.removeAll { $0.handle == handle }
            without.actors.removeAll { $0.handle == handle }
            result.append(without)
        }
        guard step.role == .control || step.role == .stimulus, isLeft(play, place) else {
            return result
        }
        var without = play
        without.steps.remove(at: place)
        result.append(without)
        return result
    }

    /// Whether a step may go: one stimulus has to stay.
    private static func isLeft(_ play: CheckCase, _ place: Int) -> Bool {
        play.steps[place].role != .stimulus
            || play.steps.count { $0.role == .stimulus } > 1
    }
}
