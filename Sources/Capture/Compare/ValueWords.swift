import LineProtocol
import Transcript

/// The comparison of values from two captures by words, without what varies from run to run: times,
/// IP addresses, long random words, and names that differ consistently.
struct ValueWords {
    /// Placeholder for a word that has more than one other name.
    private static let name = Array("<name>".utf8)
    private static let random = Array("<random>".utf8)

    private let clock: TimestampFinder?
    /// Words and parts without spaces to replace; nil for one with more than one replacement.
    var renames: [[UInt8]: [UInt8]?] = [:]

    /// Words that clients sent in the capture that the other one is compared with. They are the
    /// same in both.
    private var common: Set<[UInt8]> = []

    init(startedAt: Int64?) {
        clock = startedAt.map { TimestampFinder(startedAt: $0 / 1_000_000_000) }
    }

    /// Returns the value without what varies.
    func masked(_ value: [UInt8]) -> [UInt8] {
        let value = clock?.masked(value) ?? value
        let parts = value.split(separator: ASCII.space, omittingEmptySubsequences: false)
        return Array(parts.map { maskedPart(Array($0)) }.joined(separator: [ASCII.space]))
    }

    /// Returns a part without spaces without what varies.
    private func maskedPart(_ value: [UInt8]) -> [UInt8] {
        let value = renames[value].map { $0 ?? Self.name } ?? value
        var result: [UInt8] = []
        var start = 0
        let addresses = AddressText.all(in: value).map { ($0, Array("<address>".utf8)) }
        let uuids = RandomWords.uuids(in: value[...]).map { ($0, Self.random) }
        for (range, mask) in (addresses + uuids).sorted(by: { $0.0.lowerBound < $1.0.lowerBound })
        where range.lowerBound >= start {
            appendMasked(value[start..<range.lowerBound], to: &result)
            result += mask
            start = range.upperBound
        }
        appendMasked(value[start...], to: &result)
        return result
    }

    private func appendMasked(_ value: ArraySlice<UInt8>, to result: inout [UInt8]) {
        var rest = value
        while let first = rest.first {
            guard Self.isInWord(first) else {
                result.append(first)
                rest = rest.dropFirst()
                continue
            }
            let word = Array(rest.prefix(while: Self.isInWord))
            rest = rest.dropFirst(word.count)
            let renamed = renames[word].map { $0 ?? Self.name } ?? word
            result += RandomWords.isRandom(renamed) ? Self.random : renamed
        }
    }

    /// Notes that the words of a value are not names that differ.
    mutating func knows(_ value: [UInt8]) {
        common.formUnion(Self.words(value))
        common.formUnion(value.split(separator: ASCII.space).map { Array($0) })
    }

    /// Learns that words of another capture have other names in this one.
    ///
    /// - Parameters:
    ///   - other: A value in the other capture.
    ///   - own: The corresponding value in this one.
    mutating func learn(_ other: [UInt8], _ own: [UInt8]) {
        let (from, to) = (Self.words(other), Self.words(own))
        let parts = (other.split(separator: ASCII.space), own.split(separator: ASCII.space))
        if from.count == to.count {
            for (from, to) in zip(from, to) where from != to { learn(word: from, to) }
        } else if parts.0.count == parts.1.count {
            for (from, to) in zip(parts.0, parts.1) where from != to {
                learn(word: Array(from), Array(to))
            }
        }
    }

    private mutating func learn(word: [UInt8], _ own: [UInt8]) {
        guard !common.contains(word) else { return }
        if let known = renames[word], known != own {
            renames[word] = .some(nil)
        } else {
            renames[word] = own
        }
    }

    static func words(_ value: [UInt8]) -> [[UInt8]] {
        value.split { !isInWord($0) }.map { Array($0) }
    }

    /// Returns the sorted words of a masked value, without digits. Values with the same words may
    /// differ only in numbers and order.
    static func outline(_ value: [UInt8]) -> [[UInt8]] {
        words(value).map { hasDigit($0) ? [UInt8(ascii: "0")] : $0 }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    static func hasDigit(_ word: some Sequence<UInt8>) -> Bool {
        word.contains(where: ASCII.isDigit)
    }

    static func isInWord(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}
