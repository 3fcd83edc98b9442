import LineProtocol
import Scenario

/// What a conversation itself shows of values that vary, where it cannot be played again.
extension ScenarioDraft {
    /// Makes placeholders of words that the server says otherwise elsewhere in the same place and that no client
    /// had said before.
    mutating func compareOccurrences() {
        var spots: [Spot: SpotWords] = [:]
        let places = occurrences()
        for place in places { spots[place.spot, default: SpotWords()].add(place) }
        let said = wordsSaid()
        for place in places {
            guard let pieces = spots[place.spot]?.pieces(place, said),
                case .expect(var line) = steps[place.step].kind
            else { continue }
            line.fields[place.spot.field] = .pieces(pieces)
            steps[place.step].kind = .expect(line)
        }
    }

    /// All values that the server said and that nothing else is known of.
    private func occurrences() -> [Occurrence] {
        var result: [Occurrence] = []
        var numbers: [Int: [Spot: Int]] = [:]
        for (index, step) in steps.enumerated() {
            guard case .expect(let line) = step.kind, line.line.isRegular else { continue }
            for (field, part) in line.line.fields.enumerated()
            where line.fields[field] == .literal {
                let words = line.line.value(part).split(
                    separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                let spot = Spot(
                    verb: line.line.verbBytes, fields: line.fields.count, field: field,
                    words: words.count)
                let number = numbers[step.actor, default: [:]][spot, default: 0]
                numbers[step.actor, default: [:]][spot] = number + 1
                result.append(
                    Occurrence(
                        spot: spot, step: index, actor: step.actor, number: number, words: words))
            }
        }
        return result
    }

    /// The words that clients said, each with the first step that has it.
    private func wordsSaid() -> [ArraySlice<UInt8>: Int] {
        var said: [ArraySlice<UInt8>: Int] = [:]
        for name in loginNames { said[name[...]] = -1 }
        for (index, step) in steps.enumerated() {
            guard case .send(let line) = step.kind else { continue }
            for bytes in [line.line.bytes, line.line.payload ?? []] {
                for word in bytes.split(whereSeparator: { !isWordByte($0) })
                where said[word] == nil {
                    said[word] = index
                }
            }
        }
        return said
    }
}

/// A field of lines that say the same thing.
private struct Spot: Hashable {
    var verb: [UInt8]
    var fields: Int
    var field: Int
    var words: Int
}

/// A value in its place.
private struct Occurrence {
    var spot: Spot
    var step: Int
    var actor: Int
    /// How many of its kind the operator had heard before.
    var number: Int
    var words: [ArraySlice<UInt8>]
}

/// The words that were said in one spot.
///
/// Words with digits are compared wherever they occur, as they are ids, counts and nonces; others only with
/// what another operator heard as the same one of its kind, because a text of several lines says something
/// else in each and the same in each play.
private struct SpotWords {
    /// The most different words that are compared in one place.
    private static let variantsMax = 8
    /// The least length of a word of letters and digits that is taken for a nonce where it occurs once.
    private static let nonceBytesMin = 12

    private struct Heard: Hashable {
        var place: Int
        var number: Int
    }

    private var withDigits: [Int: Set<ArraySlice<UInt8>>] = [:]
    private var heard: [Heard: [(actor: Int, word: ArraySlice<UInt8>)]] = [:]

    mutating func add(_ occurrence: Occurrence) {
        for (place, word) in occurrence.words.enumerated() {
            if Self.hasDigit(word), withDigits[place, default: []].count < Self.variantsMax {
                withDigits[place, default: []].insert(word)
            }
            let key = Heard(place: place, number: occurrence.number)
            if heard[key, default: []].count < Self.variantsMax {
                heard[key, default: []].append((occurrence.actor, word))
            }
        }
    }

    /// The value with placeholders for the words that vary; nil if none does.
    func pieces(
        _ own: Occurrence, _ said: [ArraySlice<UInt8>: Int]
    ) -> [ScenarioSpelling.Piece]? {
        var pieces: [ScenarioSpelling.Piece] = []
        var hasHole = false
        for (place, word) in own.words.enumerated() {
            if place > 0 { pieces.append(.bytes([0x20])) }
            let variants = variants(of: word, at: place, own)
            let varies = Self.isNonce(word) || !variants.isEmpty
            guard varies, !Self.isSaid(word, before: own.step, said) else {
                pieces.append(.bytes(Array(word)))
                continue
            }
            hasHole = true
            let values = ([word] + variants).map { Array($0) }
            pieces += FieldVariants.pieces(values) ?? [.placeholder("{{_:word}}")]
        }
        return hasHole ? FieldVariants.joined(pieces) : nil
    }

    private func variants(
        of word: ArraySlice<UInt8>, at place: Int, _ own: Occurrence
    ) -> [ArraySlice<UInt8>] {
        let sameOfOthers = heard[Heard(place: place, number: own.number), default: []]
            .filter { $0.actor != own.actor && $0.word != word }.map(\.word)
        let numbers = Self.hasDigit(word) ? withDigits[place, default: []].sorted(by: precedes) : []
        return sameOfOthers + numbers.filter { $0 != word }
    }

    private func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one.lexicographicallyPrecedes(other)
    }

    /// Whether clients had said all that the word is made of.
    private static func isSaid(
        _ word: ArraySlice<UInt8>, before step: Int, _ said: [ArraySlice<UInt8>: Int]
    ) -> Bool {
        word.split { !isWordByte($0) }.allSatisfy { said[$0].map { $0 < step } ?? false }
    }

    private static func hasDigit(_ word: ArraySlice<UInt8>) -> Bool {
        word.contains { (0x30...0x39).contains($0) }
    }

    /// A long run of letters and digits mixed, which nobody would have thought of.
    private static func isNonce(_ word: ArraySlice<UInt8>) -> Bool {
        word.split { !isWordByte($0) }.contains { run in
            let digits = run.count { (0x30...0x39).contains($0) }
            return run.count >= nonceBytesMin && digits >= 3 && digits < run.count
        }
    }
}
