import LineProtocol
import Scenario

/// Finds values that vary within a conversation, for conversations that cannot be replayed.
extension ScenarioDraft {
    /// Replaces words with placeholders if they differ in other occurrences of the same line and no
    /// client has sent them before.
    mutating func compareOccurrences() {
        var slots: [Slot: SlotWords] = [:]
        let found = occurrences()
        for occurrence in found { slots[occurrence.slot, default: SlotWords()].add(occurrence) }
        let sent = wordsSent()
        for occurrence in found {
            guard let pieces = slots[occurrence.slot]?.pieces(occurrence, sent),
                case .expect(var line) = steps[occurrence.step].kind
            else { continue }
            line.fields[occurrence.slot.field] = .pieces(pieces)
            steps[occurrence.step].kind = .expect(line)
        }
    }

    /// Returns all values from the server that have not been replaced yet.
    private func occurrences() -> [Occurrence] {
        var result: [Occurrence] = []
        var numbers: [Int: [Slot: Int]] = [:]
        for (index, step) in steps.enumerated() {
            guard case .expect(let line) = step.kind, line.line.isRegular else { continue }
            for (field, part) in line.line.fields.enumerated()
            where line.fields[field] == .literal {
                let words = line.line.value(part).split(
                    separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                let slot = Slot(
                    verb: line.line.verbBytes, fields: line.fields.count, field: field,
                    words: words.count)
                let number = numbers[step.actor, default: [:]][slot, default: 0]
                numbers[step.actor, default: [:]][slot] = number + 1
                result.append(
                    Occurrence(
                        slot: slot, step: index, actor: step.actor, number: number, words: words))
            }
        }
        return result
    }

    /// Returns the words that clients sent, each with the index of the first step that contains it.
    private func wordsSent() -> [ArraySlice<UInt8>: Int] {
        var sent: [ArraySlice<UInt8>: Int] = [:]
        for name in loginNames { sent[name[...]] = -1 }
        for (index, step) in steps.enumerated() {
            guard case .send(let line) = step.kind else { continue }
            for bytes in [line.line.bytes, line.line.payload ?? []] {
                for word in bytes.split(whereSeparator: { !isWordByte($0) })
                where sent[word] == nil {
                    sent[word] = index
                }
            }
        }
        return sent
    }
}

/// The position of a field in lines that have the same form: the same command, the same number of
/// fields, and the same number of words in the field.
private struct Slot: Hashable {
    var verb: [UInt8]
    var fields: Int
    var field: Int
    var words: Int
}

/// A field value that the server sent in a step, split into words.
private struct Occurrence {
    var slot: Slot
    var step: Int
    var actor: Int
    /// Number of earlier values that the same operator received in the same slot.
    var number: Int
    var words: [ArraySlice<UInt8>]
}

/// The words that occur in a slot.
///
/// Words with digits are probably IDs, counts or nonces. They are compared with the words in all
/// other occurrences. Other words are compared only with the same occurrence received by another
/// operator: the lines of a multi-line text differ from each other, but every operator receives the
/// same lines.
private struct SlotWords {
    /// Maximum number of different words to compare per position.
    private static let variantsMax = 8

    private struct SlotOccurrence: Hashable {
        var index: Int
        var number: Int
    }

    private var withDigits: [Int: Set<ArraySlice<UInt8>>] = [:]
    private var receivedWords: [SlotOccurrence: [(actor: Int, word: ArraySlice<UInt8>)]] = [:]

    mutating func add(_ occurrence: Occurrence) {
        for (index, word) in occurrence.words.enumerated() {
            if Self.hasDigit(word), withDigits[index, default: []].count < Self.variantsMax {
                withDigits[index, default: []].insert(word)
            }
            let key = SlotOccurrence(index: index, number: occurrence.number)
            if receivedWords[key, default: []].count < Self.variantsMax {
                receivedWords[key, default: []].append((occurrence.actor, word))
            }
        }
    }

    /// Returns the value with placeholders for the words that vary; nil if no word varies.
    func pieces(
        _ own: Occurrence, _ sent: [ArraySlice<UInt8>: Int]
    ) -> [ScenarioSpelling.Piece]? {
        var pieces: [ScenarioSpelling.Piece] = []
        var hasPlaceholder = false
        for (index, word) in own.words.enumerated() {
            if index > 0 { pieces.append(.bytes([0x20])) }
            let variants = variants(of: word, at: index, own)
            let varies = Self.isNonce(word) || Self.isMessageID(word) || !variants.isEmpty
            guard varies, !Self.wasSent(word, before: own.step, sent) else {
                pieces.append(.bytes(Array(word)))
                continue
            }
            hasPlaceholder = true
            let values = ([word] + variants).map { Array($0) }
            pieces += FieldVariants.pieces(values) ?? [.placeholder("{{_:word}}")]
        }
        return hasPlaceholder ? FieldVariants.joined(pieces) : nil
    }

    private func variants(
        of word: ArraySlice<UInt8>, at index: Int, _ own: Occurrence
    ) -> [ArraySlice<UInt8>] {
        let sameOccurrences = receivedWords[
            SlotOccurrence(index: index, number: own.number), default: []
        ]
        .filter { $0.actor != own.actor && $0.word != word }.map(\.word)
        let numbers = Self.hasDigit(word) ? withDigits[index, default: []].sorted(by: precedes) : []
        return sameOccurrences + numbers.filter { $0 != word }
    }

    private func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one.lexicographicallyPrecedes(other)
    }

    /// Returns true if clients have previously sent all parts of the word.
    private static func wasSent(
        _ word: ArraySlice<UInt8>, before step: Int, _ sent: [ArraySlice<UInt8>: Int]
    ) -> Bool {
        word.split { !isWordByte($0) }.allSatisfy { sent[$0].map { $0 < step } ?? false }
    }

    private static func hasDigit(_ word: ArraySlice<UInt8>) -> Bool {
        word.contains(where: ASCII.isDigit)
    }

    /// Returns true for an identifier of a mail or news message with a digit, which servers make
    /// unique: `<…@…>` (RFC 5322).
    private static func isMessageID(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.first == UInt8(ascii: "<"), word.last == UInt8(ascii: ">"),
            let at = word.firstIndex(of: UInt8(ascii: "@"))
        else { return false }
        return hasDigit(word[..<at])
    }

    /// Returns true for a word with a part that is unlikely to be the same in every run.
    private static func isNonce(_ word: ArraySlice<UInt8>) -> Bool {
        word.split { !isWordByte($0) }.contains(where: RandomWords.isRandom)
            || !RandomWords.uuids(in: word).isEmpty
    }
}
