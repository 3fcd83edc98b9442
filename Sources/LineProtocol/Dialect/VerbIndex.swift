/// A hash table that maps the bytes of a command to the index of its signature.
final class VerbIndex: Sendable {
    private let slots: [Slot]
    private let longVerbs: [Int32: [UInt8]]
    private let mask: Int
    private let ignoringCase: Bool
    private let digits: [(count: Int?, index: Int)]
    private let prefixes: [(bytes: [UInt8], index: Int)]
    private let verbless: Int?
    /// Index of the signature of the line after a prompt; nil if there is none.
    let prompted: Int?

    private struct Slot {
        /// The command itself if it is at most eight bytes long, otherwise its hash.
        var key: UInt64 = 0
        /// Length of the command; -1 if the slot is free.
        var length: Int32 = -1
        var index: Int32 = 0
    }

    init(_ signatures: [CommandSignature], _ direction: Direction, ignoringCase: Bool) {
        var capacity = 16
        while capacity < signatures.count * 4 { capacity *= 2 }
        mask = capacity - 1
        self.ignoringCase = ignoringCase
        var slots = Array(repeating: Slot(), count: capacity)
        var longVerbs: [Int32: [UInt8]] = [:]
        var digits: [(count: Int?, index: Int)] = []
        var prefixes: [(bytes: [UInt8], index: Int)] = []
        var verbless: Int?
        var prompted: Int?
        // If two signatures have the same wire name, the first one wins.
        var seen: Set<[UInt8]> = []
        for (index, signature) in signatures.enumerated()
        where signature.direction.allows(direction) {
            switch signature.wire {
            case .exact(let verb):
                let folded = ignoringCase ? verb.map(ASCII.uppercased) : verb
                guard seen.insert(folded).inserted else { continue }
                let key = Self.key(folded.span, 0..<folded.count, ignoringCase: false)
                var slot = Self.slot(key) & mask
                while slots[slot].length >= 0 { slot = (slot + 1) & mask }
                slots[slot] = Slot(key: key, length: Int32(verb.count), index: Int32(index))
                if verb.count > 8 { longVerbs[Int32(index)] = verb }
            case .digits(let count): digits.append((count, index))
            case .prefix(let bytes): prefixes.append((bytes, index))
            case .none: verbless = verbless ?? index
            case .prompted: prompted = prompted ?? index
            }
        }
        self.slots = slots
        self.longVerbs = longVerbs
        self.digits = digits
        self.prefixes = prefixes
        self.verbless = verbless
        self.prompted = prompted
    }

    /// Returns the index of the signature whose command is in `range`, or nil. The range must lie
    /// inside `bytes`.
    @inline(__always)
    func find(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        let count = range.count
        guard count > 0, count <= Self.shortMax, let base = bytes.baseAddress else {
            return unsafe findUnusual(bytes.span, range)
        }
        var key = unsafe Word.load(base, range.lowerBound, count: count, room: bytes.count)
        if ignoringCase { key = Word.uppercased(key) }
        var slot = Self.slot(key) & mask
        while true {
            let candidate = slots[slot]
            if candidate.key == key, Int(candidate.length) == count { return Int(candidate.index) }
            if candidate.length < 0 { return unsafe findClass(bytes.span, range) }
            slot = (slot &+ 1) & mask
        }
    }

    /// The length of the longest command that fits into a key.
    private static let shortMax = 8

    /// Finds a command that is too long for a key, or the signature of lines without a command.
    /// Returns nil if there is none.
    @inline(never)
    private func findUnusual(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return verbless }
        let key = Self.key(bytes, range, ignoringCase: ignoringCase)
        var slot = Self.slot(key) & mask
        while slots[slot].length >= 0 {
            let candidate = slots[slot]
            if candidate.key == key, Int(candidate.length) == range.count,
                let verb = longVerbs[candidate.index],
                bytes.matches(range, verb, ignoringCase: ignoringCase)
            {
                return Int(candidate.index)
            }
            slot = (slot + 1) & mask
        }
        return findClass(bytes, range)
    }

    /// Finds the first matching signature whose wire name is a number of digits or a prefix.
    /// Returns nil if there is none.
    @inline(never)
    private func findClass(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        for (count, index) in digits where range.count == count ?? range.count {
            if range.allSatisfy({ ASCII.isDigit(bytes[$0]) }) { return index }
        }
        for (prefix, index) in prefixes where range.count >= prefix.count {
            let start = range.lowerBound..<(range.lowerBound + prefix.count)
            if bytes.matches(start, prefix, ignoringCase: ignoringCase) { return index }
        }
        return nil
    }

    private static func key(
        _ bytes: Span<UInt8>, _ range: Range<Int>, ignoringCase: Bool
    ) -> UInt64 {
        var key: UInt64 = 0
        if range.count <= shortMax {
            for index in range.reversed() { key = key << 8 | UInt64(bytes[index]) }
            return ignoringCase ? Word.uppercased(key) : key
        }
        key = FNV1a.basis
        for index in range {
            let byte = ignoringCase ? ASCII.uppercased(bytes[index]) : bytes[index]
            key = (key ^ UInt64(byte)) &* FNV1a.prime
        }
        return key
    }

    @inline(__always)
    private static func slot(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 32)
    }
}
