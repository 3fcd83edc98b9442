import LineProtocol
import Results
import Session

/// A shrinker for failing cases. It removes lines, then clients, bytes and waits, as long as the
/// case still fails in the same way.
struct Shrinker {
    /// Maximum number of variants to try.
    static let triesMax = 120
    /// Time limits of the stages, each measured from the start of shrinking.
    static let timeMax = (
        lines: Duration.seconds(8), bytes: Duration.seconds(16), waits: Duration.seconds(18)
    )
    /// Maximum timeout of a step while shrinking, in nanoseconds.
    static let shortPatience: Int64 = 2_000_000_000

    let judge: CaseJudge
    let check: Check
    let options: CheckOptions
    /// True if the server is known not to delay clients, so that waits are shorter.
    var isHurried = false

    /// Returns the smallest failing variant found.
    func shrunk(_ failed: CaseOutcome) async -> CaseOutcome {
        guard let finding = failed.finding else { return failed }
        var search = Search(failed, finding)
        let patience = failed.testCase.patience
        search.smallest.patience = min(patience, Self.shortPatience + failed.testCase.loginTime)
        await lines(&search)
        await people(&search)
        search.timeMax = Self.timeMax.bytes
        await bytes(&search)
        search.timeMax = Self.timeMax.waits
        await waits(&search)
        search.found.testCase.patience = patience
        return search.found
    }

    /// State of the search for a smaller failing case.
    struct Search {
        var smallest: CheckCase
        var found: CaseOutcome
        let finding: Finding
        var timeMax = Shrinker.timeMax.lines
        var tries = 0
        private let begin = ContinuousClock.now

        init(_ failed: CaseOutcome, _ finding: Finding) {
            smallest = failed.testCase
            found = failed
            self.finding = finding
        }

        var isOver: Bool {
            tries >= Shrinker.triesMax || ContinuousClock.now - begin > timeMax
                || Task.isCancelled
        }
    }

    /// Makes the candidate the smallest variant if it fails in the same way.
    @discardableResult
    private func take(_ candidate: CheckCase?, _ search: inout Search) async -> Bool {
        guard let candidate, !search.isOver else { return false }
        search.tries += 1
        // Each attempt uses new names, so that stale sessions do not interfere.
        let fresh = candidate.renamed(
            seed: options.seed &+ UInt64(search.tries), part: check.id.description)
        var outcome = await judge.outcome(
            of: isHurried ? fresh.hurried : fresh, check, seed: options.seed)
        guard outcome.finding?.kind == search.finding.kind else { return false }
        search.smallest = candidate
        // The shorter waits are not part of the case.
        outcome.testCase = fresh
        search.found = outcome
        return true
    }

    /// Removes as many items as possible, starting with half of them at a time and ending one by
    /// one. Works backwards, because items may depend on earlier ones.
    private func leaveOut<Item>(
        _ search: inout Search, _ items: (CheckCase) -> [Item],
        without: (CheckCase, [Item]) -> CheckCase?
    ) async {
        var size = max(1, items(search.smallest).count / 2)
        while !search.isOver {
            var end = items(search.smallest).count
            while end > 0, !search.isOver {
                let all = items(search.smallest)
                end = min(end, all.count)
                let start = max(0, end - size)
                await take(without(search.smallest, Array(all[start..<end])), &search)
                end = start
            }
            if size == 1 { return }
            size /= 2
        }
    }

    // MARK: Stages

    private func lines(_ search: inout Search) async {
        await leaveOut(&search, { $0.removableStimuli }, without: { $0.without(stimuli: $1) })
        await take(search.smallest.withoutControl(judge.subject), &search)
    }

    private func people(_ search: inout Search) async {
        await leaveOut(&search, { $0.removablePeople }, without: { $0.without(people: $1) })
    }

    /// Joins split writes and then removes bytes. Joining comes first, because bytes can be removed
    /// only from a stimulus that is sent in one write.
    private func bytes(_ search: inout Search) async {
        await take(search.smallest.unsegmented, &search)
        for step in search.smallest.steps.indices {
            await take(search.smallest.joined(step, judge.subject), &search)
        }
        guard search.smallest.losesBytes(for: search.finding, judge.subject) else { return }
        for step in search.smallest.steps.indices.reversed()
        where search.smallest.steps.indices.contains(step) {
            await take(search.smallest.withoutTail(step, judge.subject), &search)
            await leaveOut(
                &search, { $0.removableBytes(step, judge.subject) },
                without: { $0.without(bytes: $1, in: step, judge.subject) })
            // Try to remove the separator after the command if nothing follows it.
            let rest = search.smallest.removableBytes(step, judge.subject)
            if rest.count == 1 {
                await take(
                    search.smallest.without(bytes: rest, in: step, judge.subject), &search)
            }
        }
    }

    private func waits(_ search: inout Search) async {
        for step in search.smallest.steps.indices.reversed() {
            guard !search.isOver else { return }
            while await take(search.smallest.halvedRounds(step, search.finding), &search) {}
            await take(search.smallest.withoutWait(step, search.finding), &search)
        }
    }
}
