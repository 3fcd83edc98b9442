/// A dialect's commands, found by their bytes without a String.
public struct CommandTable: Sendable {
    public let signatures: [CommandSignature]
    private let fromClient: VerbIndex
    private let fromServer: VerbIndex
    private let byName: [String: [Int]]

    /// - Parameter ignoringCase: whether ASCII letters of either case are the same command.
    public init(_ signatures: [CommandSignature] = [], ignoringCase: Bool = false) {
        self.signatures = signatures
        fromClient = VerbIndex(signatures, .fromClient, ignoringCase: ignoringCase)
        fromServer = VerbIndex(signatures, .fromServer, ignoringCase: ignoringCase)
        byName = Dictionary(
            grouping: signatures.indices, by: { signatures[$0].name })
    }

    /// The place in ``signatures`` of the command that stands in `range`, or nil.
    @inlinable
    public func command(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ direction: Direction
    ) -> Int? {
        index(direction).find(bytes, range)
    }

    @usableFromInline
    func index(_ direction: Direction) -> VerbIndex {
        direction == .fromClient ? fromClient : fromServer
    }

    /// The place of the command with this message name, or nil.
    public func command(named name: String, _ direction: Direction) -> Int? {
        byName[name]?.first { signatures[$0].direction.allows(direction) }
    }

    /// Every message name, sorted.
    public var names: [String] { byName.keys.sorted() }
}

/// A hash table from command bytes to signatures.
@usableFromInline
struct VerbIndex: Sendable {
    /// Up to eight bytes, packed, are the key itself; longer commands hash to one.
    private var keys: [UInt64]
    private var lengths: [Int32]
    private var places: [Int32]
    private var longVerbs: [Int32: [UInt8]] = [:]
    private let mask: Int
    private let ignoringCase: Bool
    private var digits: [(count: Int, place: Int)] = []
    private var prefixes: [(bytes: [UInt8], place: Int)] = []
    private var verbless: Int?

    init(_ signatures: [CommandSignature], _ direction: Direction, ignoringCase: Bool) {
        var capacity = 16
        while capacity < signatures.count * 4 { capacity *= 2 }
        keys = Array(repeating: 0, count: capacity)
        lengths = Array(repeating: -1, count: capacity)
        places = Array(repeating: -1, count: capacity)
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
        let key = key(verb.span, 0..<verb.count)
        var slot = slot(key)
        while lengths[slot] >= 0 {
            // The first of two equal commands is the one that is found.
            if keys[slot] == key, lengths[slot] == Int32(verb.count) { return }
            slot = (slot + 1) & mask
        }
        keys[slot] = key
        lengths[slot] = Int32(verb.count)
        places[slot] = Int32(place)
        if verb.count > 8 { longVerbs[Int32(place)] = verb }
    }

    @usableFromInline
    func find(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return verbless }
        let key = key(bytes, range)
        var slot = slot(key)
        while lengths[slot] >= 0 {
            if keys[slot] == key, lengths[slot] == Int32(range.count),
                isSame(Int32(places[slot]), bytes, range)
            {
                return Int(places[slot])
            }
            slot = (slot + 1) & mask
        }
        return findClass(bytes, range)
    }

    private func isSame(_ place: Int32, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count > 8, let verb = longVerbs[place] else { return true }
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
        var key: UInt64 = 0
        if range.count <= 8 {
            for place in range { key = key << 8 | UInt64(folded(bytes[place])) }
        } else {
            key = 0xCBF2_9CE4_8422_2325  // FNV-1a, 64 bits
            for place in range { key = (key ^ UInt64(folded(bytes[place]))) &* 0x100_0000_01B3 }
        }
        return key
    }

    private func folded(_ byte: UInt8) -> UInt8 {
        ignoringCase ? ASCII.uppercased(byte) : byte
    }

    private func slot(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }
}
