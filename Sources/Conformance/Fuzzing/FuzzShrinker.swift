/// A shrinker for fuzz inputs. It removes lines, then splits, then bytes, as long as the input
/// still fails.
struct FuzzShrinker {
    /// Maximum number of variants to try.
    static let triesMax = 120
    /// Time limit for shrinking.
    static let timeMax = Duration.seconds(30)

    /// Returns whether an input still fails.
    let fails: (FuzzInput) async -> Bool

    /// Returns the smallest variant found.
    func shrunk(_ input: FuzzInput) async -> FuzzInput {
        var search = Search(smallest: input)
        await lines(&search)
        await cuts(&search)
        await bytes(&search)
        return search.smallest
    }

    private struct Search {
        var smallest: FuzzInput
        var tries = 0
        let begin = ContinuousClock.now

        var isOver: Bool {
            tries >= FuzzShrinker.triesMax || ContinuousClock.now - begin > FuzzShrinker.timeMax
                || Task.isCancelled
        }
    }

    /// Makes the candidate the smallest variant if it still fails, and returns whether it does.
    private func take(_ candidate: FuzzInput, _ search: inout Search) async -> Bool {
        guard candidate != search.smallest, !candidate.lines.isEmpty, !search.isOver else {
            return false
        }
        search.tries += 1
        guard await fails(candidate) else { return false }
        search.smallest = candidate
        return true
    }

    private func lines(_ search: inout Search) async {
        // When a line is removed, so is the message that it is expected to deliver.
        var index = search.smallest.lines.count - 1
        while index >= 0, search.smallest.lines.count > 1, !search.isOver {
            var without = search.smallest
            without.cuts = []
            without.lines.remove(at: index)
            if without.texts?.count == search.smallest.lines.count {
                without.texts?.remove(at: index)
            }
            if !(await take(without, &search)) {
                without.cuts = search.smallest.cuts
                without.tidy()
                _ = await take(without, &search)
            }
            index -= 1
        }
    }

    private func cuts(_ search: inout Search) async {
        var without = search.smallest
        without.cuts = []
        if await take(without, &search) { return }
        var index = search.smallest.cuts.count - 1
        while index >= 0, !search.isOver {
            var fewer = search.smallest
            fewer.cuts.remove(at: index)
            _ = await take(fewer, &search)
            index -= 1
        }
    }

    private func bytes(_ search: inout Search) async {
        // Expected messages must match the lines that send them.
        guard search.smallest.texts == nil, search.smallest.cuts.isEmpty else { return }
        for line in search.smallest.lines.indices.reversed() {
            var size = max(1, search.smallest.lines[line].count / 2)
            while !search.isOver {
                var start = 0
                while start < search.smallest.lines[line].count, !search.isOver {
                    var shorter = search.smallest
                    let end = min(start + size, shorter.lines[line].count)
                    shorter.lines[line].removeSubrange(start..<end)
                    let isKept = !shorter.lines[line].isEmpty
                    let isTaken = isKept ? await take(shorter, &search) : false
                    if !isTaken { start += size }
                }
                if size == 1 { break }
                size /= 2
            }
        }
    }
}
