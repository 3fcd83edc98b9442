/// An alignment of two sequences that are mostly the same.
struct SequenceAlignment {
    /// Maximum number of elements to skip in one sequence, and in both.
    private static let (skippedMax, bothSkippedMax) = (128, 8)

    let counts: (Int, Int)
    /// True to pair elements that differ if as many are skipped in one sequence as in the other.
    var pairsReplaced = false

    init(counts: (Int, Int)) { self.counts = counts }

    /// Returns the indices of corresponding elements.
    ///
    /// - Parameter isSame: Returns whether two elements are the same. If the third argument is
    ///   false, they only have to be similar.
    func pairs(_ isSame: (Int, Int, _ isExact: Bool) -> Bool) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var (from, to) = (0, 0)
        while from < counts.0, to < counts.1 {
            if !isSame(from, to, true) {
                let isSimilar = !pairsReplaced && isSame(from, to, false)
                // Similar elements correspond to each other unless one was inserted.
                let skip = skip(from, to, inBoth: !isSimilar) {
                    isSame($0, $1, isSimilar || pairsReplaced)
                }
                if let skip {
                    if pairsReplaced, skip.0 == skip.1 {
                        pairs += (0..<skip.0).map { (from + $0, to + $0) }
                    }
                    (from, to) = (from + skip.0, to + skip.1)
                } else if !isSimilar {
                    if pairsReplaced { pairs.append((from, to)) }
                    (from, to) = (from + 1, to + 1)
                    continue
                }
            }
            pairs.append((from, to))
            (from, to) = (from + 1, to + 1)
        }
        return pairs
    }

    /// Returns how many elements of each sequence to skip until they are the same again; nil if
    /// there is no such number.
    private func skip(
        _ from: Int, _ to: Int, inBoth: Bool, _ isSame: (Int, Int) -> Bool
    ) -> (Int, Int)? {
        func resumes(_ skip: (Int, Int)) -> Bool {
            let (first, second) = (from + skip.0, to + skip.1)
            guard first < counts.0, second < counts.1, isSame(first, second) else { return false }
            // A single element may be the same by chance.
            let isLast = first + 1 == counts.0 || second + 1 == counts.1
            return !pairsReplaced || isLast || isSame(first + 1, second + 1)
        }
        // If as many elements remain in both, none was inserted.
        let isEven = counts.0 - from == counts.1 - to
        for distance in 1...Self.skippedMax {
            let canSkipBoth = inBoth && distance <= Self.bothSkippedMax
            let both = (distance, distance)
            if canSkipBoth, isEven, resumes(both) { return both }
            if resumes((distance, 0)) { return (distance, 0) }
            if resumes((0, distance)) { return (0, distance) }
            if canSkipBoth, !isEven, resumes(both) { return both }
        }
        return nil
    }
}
