/// The maximum length of a word in characters. Longer words get no suggestions.
private let comparedCharactersMax = 64

/// Returns the known word that was probably meant. Letters may be swapped, missing, doubled or in
/// the wrong case. Returns nil if no known word is similar enough.
public func didYouMean(_ word: String, among known: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased())
    guard !wanted.isEmpty, wanted.count <= comparedCharactersMax else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in known where candidate != word {
        let letters = Array(candidate.lowercased())
        let longer = max(letters.count, wanted.count)
        guard longer <= comparedCharactersMax else { continue }
        let distance = editDistance(wanted, letters)
        guard distance * 3 <= longer, distance < best?.distance ?? .max else { continue }
        best = (candidate, distance)
    }
    return best?.word
}

/// Returns the number of edits that turn one word into the other: insertions, deletions,
/// substitutions, and swaps of adjacent letters.
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        for column in right.indices {
            let change = last[column] + (left[row] == right[column] ? 0 : 1)
            var cost = min(change, last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1],
                left[row - 1] == right[column]
            {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
