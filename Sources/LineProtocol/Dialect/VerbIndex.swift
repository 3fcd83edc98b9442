/// A hash table from command bytes to the places of signatures.
struct VerbIndex: Sendable {
    private var slots: [Slot]
    private var longVerbs: [Int32: [UInt8]] = [:]
    private let mask: Int
    private let ignoringCase: Bool
    private var digits: [(count: Int, place: Int)] = []
    private var prefixes: [(bytes: [UInt8], place: Int)] = []
    private var verbless: Int?

    private struct Slot {
        /// Up to eight bytes are the key themselves; longer commands hash to one.
        var key: UInt64 = 0
        /// -1: free.
        var length: Int32 = -1
        var place: Int32 = 0
    }

    init(_ signatures: [CommandSignature], _ direction: Direction, ignoringCase: Bool) {
        var capacity = 16
        while capacity < signatures.count * 4 { capacity *= 2 }
        slots = Array(repeating: Slot(), count: capacity)
        mask = capacity - 1
        self.ignoringCase = ignoringCase
        for (place, signature) in signatures.enumerated()
        where signature.direction.allows(direction) {
            switch signature.wire {
            case .exact(let verb): insert(verb, place)
            case .digits(let count): digits.append((count, place))
            case .prefix(let bytes): prefixes.append((bytes, place))
            case .none: verbless = verbless ?? place
            }
        }
    }

    private mutating func insert(_ verb: [UInt8], _ place: Int) {
        // The first of two equal commands is the one that is found.
        guard exact(verb.span, 0..<verb.count) == nil else { return }
        let key = key(verb.span, 0..<verb.count)
        var slot = slot(key)
        while slots[slot].length >= 0 { slot = (slot + 1) & mask }
        slots[slot] = Slot(key: key, length: Int32(verb.count), place: Int32(place))
        if verb.count > 8 { longVerbs[Int32(place)] = verb }
    }

    /// The place of the signature whose command stands in `range`, or nil.
    func find(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return verbless }
        return exact(bytes, range) ?? findClass(bytes, range)
    }

    private func exact(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let key = key(bytes, range)
        let length = Int32(truncatingIfNeeded: range.count)
        var slot = slot(key)
        while slots[slot].length >= 0 {
            let candidate = slots[slot]
            if candidate.key == key, candidate.length == length,
                range.count <= 8 || isSame(candidate.place, bytes, range)
            {
                return Int(candidate.place)
            }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    private func isSame(_ place: Int32, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let verb = longVerbs[place] else { return false }
        return bytes.matches(range, verb, ignoringCase: ignoringCase)
    }

    private func findClass(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        for (count, place) in digits where range.count == count {
            if range.allSatisfy({ ASCII.isDigit(bytes[$0]) }) { return place }
        }
        for (prefix, place) in prefixes where range.count >= prefix.count {
            let start = range.lowerBound..<(range.lowerBound + prefix.count)
            if bytes.matches(start, prefix, ignoringCase: ignoringCase) { return place }
        }
        return nil
    }

    private func key(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        if range.count <= 8 {
            let word = unsafe bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return UInt64(0) }
                return unsafe Word.load(
                    base, range.lowerBound, count: range.count, room: buffer.count)
            }
            return ignoringCase ? Word.uppercased(word) : word
        }
        var key: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a, 64 bits
        for place in range {
            let byte = ignoringCase ? ASCII.uppercased(bytes[place]) : bytes[place]
            key = (key ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return key
    }

    private func slot(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 32) & mask
    }
}
