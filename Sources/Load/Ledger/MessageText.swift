/// The body of a generated message, with the numbers of its sender and room, its sequence number
/// and a checksum. It consists of lowercase letters and digits, so it needs no escaping in any
/// dialect and every copy has the same length.
///
/// Layout, with lengths in bytes: `l`, kind, run (4), room (5), sender (5), sequence (6), message
/// (7), filler, checksum (6).
package struct MessageText: Sendable, Equatable {
    /// The kind of recipient: a room or an operator.
    package enum Kind: UInt8, Sendable {
        /// All operators in a room.
        case say = 0x73
        /// One operator.
        case relay = 0x72
    }

    package static let bytesMin = 35
    package static let bytesMax = 16_384

    package var kind: Kind
    /// Run number, which distinguishes these messages from those of other runs.
    package var run: UInt32
    /// Room number, across all workers.
    package var room: UInt32
    /// Sender's number, across all workers.
    package var sender: UInt32
    /// Sequence number among the sender's messages in this room.
    package var sequence: UInt32
    /// Number of the message's entry in the worker's message log.
    package var message: UInt64

    package init(
        kind: Kind, run: UInt32, room: UInt32, sender: UInt32, sequence: UInt32, message: UInt64
    ) {
        self.kind = kind
        self.run = run
        self.room = room
        self.sender = sender
        self.sequence = sequence
        self.message = message
    }

    /// The reason a message could not be parsed.
    package enum Flaw: Error, Sendable {
        /// The message does not start like a generated message.
        case notOurs
        /// The message belongs to another run.
        case otherRun
        /// The message belongs to this run, but its checksum is wrong.
        case corrupted
    }

    /// Overwrites the `count` bytes at `offset` with the message.
    package func write(to target: inout [UInt8], at offset: Int, count: Int) {
        var bytes = target.mutableSpan
        bytes[offset] = UInt8(ascii: "l")
        bytes[offset + 1] = kind.rawValue
        Base32.write(UInt64(run), 4, to: &bytes, at: offset + 2)
        Base32.write(UInt64(room), 5, to: &bytes, at: offset + 6)
        Base32.write(UInt64(sender), 5, to: &bytes, at: offset + 11)
        Base32.write(UInt64(sequence), 6, to: &bytes, at: offset + 16)
        Base32.write(message, 7, to: &bytes, at: offset + 22)
        let checkOffset = offset + count - 6
        var filler = offset + 29
        while filler < checkOffset {
            bytes[filler] = UInt8(ascii: "a") &+ UInt8(truncatingIfNeeded: (filler &- offset) & 15)
            filler &+= 1
        }
        let check = unsafe Self.check(target.span.bytes, offset, checkOffset)
        var again = target.mutableSpan
        Base32.write(UInt64(check), 6, to: &again, at: checkOffset)
    }

    /// Parses a message that occupies all of `bytes`.
    package init(reading bytes: Span<UInt8>, run: UInt32) throws(Flaw) {
        if let text = MessageText(unchanged: bytes, run: run) {
            self = text
            return
        }
        guard bytes.count >= 2, bytes[0] == UInt8(ascii: "l"), Kind(rawValue: bytes[1]) != nil
        else { throw .notOurs }
        guard bytes.count >= 6, let itsRun = Base32.read(bytes, 2, 4), itsRun != run else {
            throw .corrupted
        }
        throw .otherRun
    }

    /// Parses an intact message; nil for anything else. Nearly all messages take this fast path.
    @inline(__always)
    init?(unchanged bytes: Span<UInt8>, run: UInt32) {
        let count = bytes.count
        guard count >= Self.bytesMin, bytes[0] == UInt8(ascii: "l"),
            let kind = Kind(rawValue: bytes[1])
        else { return nil }
        let raw = unsafe bytes.bytes
        // The checksum covers every byte. If it matches, the number fields contain only digits.
        let check = Base32.digits(of: UInt64(Self.check(raw, 0, count &- 6)))
        guard (Base32.digits(raw, endingAt: count) ^ check) & 0xFFFF_FFFF_FFFF == 0 else {
            return nil
        }
        // The numbers are adjacent, so four groups of eight digits contain all of them.
        let first = Base32.number(Base32.digits(raw, endingAt: 10))
        guard first >> 20 == UInt64(run) else { return nil }
        let second = Base32.number(Base32.digits(raw, endingAt: 18))
        let third = Base32.number(Base32.digits(raw, endingAt: 26))
        let last = Base32.number(Base32.digits(raw, endingAt: 29))
        self.init(
            kind: kind, run: run,
            room: UInt32(truncatingIfNeeded: (first & Base32.most(digits: 4)) << 5 | second >> 35),
            sender: UInt32(truncatingIfNeeded: second >> 10 & Base32.most(digits: 5)),
            sequence: UInt32(
                truncatingIfNeeded: (second & Base32.most(digits: 2)) << 20 | third >> 20),
            message: last & Base32.most(digits: 7))
    }

    /// Returns a 30-bit checksum of at least eight bytes, from `lower` up to `upper`. It is
    /// computed like FNV-1a, but over eight bytes at a time and with a different multiplier.
    /// Because each step depends on the previous one, two interleaved hashes are computed in
    /// parallel.
    @inline(__always)
    private static func check(_ bytes: RawSpan, _ lower: Int, _ upper: Int) -> UInt32 {
        func mix(_ hash: UInt64, _ offset: Int) -> UInt64 {
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let mixed = (hash ^ UInt64(littleEndian: word)) &* 0x9E37_79B9_7F4A_7C15
            return mixed ^ mixed >> 32
        }
        var one: UInt64 = 0xCBF2_9CE4_8422_2325
        var two: UInt64 = 0x8422_2325_CBF2_9CE4
        var offset = lower
        while offset &+ 16 <= upper {
            one = mix(one, offset)
            two = mix(two, offset &+ 8)
            offset &+= 16
        }
        if offset &+ 8 <= upper { one = mix(one, offset) }
        // The remaining bytes, padded to a full word with bytes already hashed.
        two = mix(two, upper &- 8)
        let hash = (one &+ two &* 0x100_0000_01B3) &* 0x9E37_79B9_7F4A_7C15
        // Every input bit affects the highest bits.
        return UInt32(truncatingIfNeeded: hash >> 34)
    }
}
