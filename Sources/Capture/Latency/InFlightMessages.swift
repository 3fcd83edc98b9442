import LineProtocol

/// Texts that were said, until everybody who hears them has heard them.
struct InFlightMessages {
    /// The most texts that are remembered at once; beyond, the oldest is over.
    static let textsMax = 8_192
    /// The most times that somebody has heard one of them.
    static let hearingsMax = 400_000
    /// A text that is older is over.
    static let nanosecondsMax: Int64 = 60_000_000_000

    /// A text that was said.
    struct Text {
        var key: Int
        var sender: Int
        var target: [UInt8]
        var time: Int64
        /// The connections on which it was heard, and after how long.
        var hearings: [(connection: Int, took: Int64)] = []
        /// Whether it was for one operator alone, as far as somebody has heard it.
        var isForOne = false
    }

    /// By number; the first is ``start``.
    private var texts: [Text] = []
    private var start = 0
    private var byKey: [Int: [Int]] = [:]
    private var hearings = 0

    /// Remembers a text; returns those that are over.
    mutating func say(_ text: Text) -> [Text] {
        let over = expire(text.time, room: 1)
        byKey[text.key, default: []].append(start + texts.count)
        texts.append(text)
        return over
    }

    /// Notes that a text was heard: the oldest of those that fit and were not heard there. Returns how
    /// long that took.
    mutating func hear(
        _ key: Int, _ connection: Int, _ time: Int64, isForOne: ([UInt8]) -> Bool,
        where fits: (Text) -> Bool
    ) -> (took: Int64, isForOne: Bool)? {
        for number in byKey[key] ?? [] {
            let place = number - start
            guard texts.indices.contains(place), texts[place].sender != connection,
                !texts[place].hearings.contains(where: { $0.connection == connection }),
                fits(texts[place])
            else { continue }
            let took = time &- texts[place].time
            texts[place].hearings.append((connection, took))
            hearings += 1
            texts[place].isForOne = isForOne(texts[place].target)
            return (took, texts[place].isForOne)
        }
        return nil
    }

    /// Takes out what is too old; where there is too much, a good part of it at once.
    mutating func expire(_ now: Int64, room: Int = 0) -> [Text] {
        if texts.count + room > Self.textsMax || hearings > Self.hearingsMax {
            return remove(max(1, texts.count / 8))
        }
        guard let first = texts.first, now &- first.time > Self.nanosecondsMax else { return [] }
        return remove(texts.firstIndex { now &- $0.time <= Self.nanosecondsMax } ?? texts.count)
    }

    /// Takes out all.
    mutating func finish() -> [Text] { remove(texts.count) }

    private mutating func remove(_ count: Int) -> [Text] {
        guard count > 0 else { return [] }
        let over = Array(texts.prefix(count))
        texts.removeFirst(count)
        for (offset, text) in over.enumerated() {
            hearings -= text.hearings.count
            byKey[text.key]?.removeAll { $0 == start + offset }
            if byKey[text.key]?.isEmpty ?? false { byKey[text.key] = nil }
        }
        start += count
        return over
    }
}
