/// What a generated text says about itself: who sent which message of which room, and whether a byte of it has
/// changed. It consists of lower case letters and digits, so that no dialect has to escape it and every copy
/// has the same length.
///
/// `l` kind run·4 room·5 sender·5 sequence·6 message·7 filler check·6
package struct MessageText: Sendable, Equatable {
    /// What the text is for.
    package enum Kind: UInt8, Sendable {
        /// To a room.
        case say = 0x73
        /// To one other.
        case relay = 0x72
    }

    /// The shortest text.
    package static let bytesMin = 35
    /// The longest one that can be asked for.
    package static let bytesMax = 16_384

    package var kind: Kind
    /// The run, so that texts of another run are no concern of this one.
    package var run: UInt32
    /// The room's number, of all rooms.
    package var room: UInt32
    /// The sender's number, of all operators.
    package var sender: UInt32
    /// Counts the sender's texts in this room.
    package var sequence: UInt32
    /// The place of the message in its worker's log.
    package var message: UInt64

    /// A text from its parts.
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

    /// What keeps a text from being read.
    package enum Flaw: Error, Sendable {
        /// It does not even begin as one of ours.
        case notOurs
        /// It is of another run.
        case otherRun
        /// It is ours, and has changed.
        case corrupted
    }

    /// Writes it over the bytes from `place`, `count` of them.
    package func write(to target: inout [UInt8], at place: Int, count: Int) {
        var bytes = target.mutableSpan
        bytes[place] = UInt8(ascii: "l")
        bytes[place + 1] = kind.rawValue
        Base32.write(UInt64(run), 4, to: &bytes, at: place + 2)
        Base32.write(UInt64(room), 5, to: &bytes, at: place + 6)
        Base32.write(UInt64(sender), 5, to: &bytes, at: place + 11)
        Base32.write(UInt64(sequence), 6, to: &bytes, at: place + 16)
        Base32.write(message, 7, to: &bytes, at: place + 22)
        let checkPlace = place + count - 6
        var filler = place + 29
        while filler < checkPlace {
            bytes[filler] = UInt8(ascii: "a") &+ UInt8(truncatingIfNeeded: (filler &- place) & 15)
            filler &+= 1
        }
        let check = unsafe Self.check(target.span.bytes, place, checkPlace)
        var again = target.mutableSpan
        Base32.write(UInt64(check), 6, to: &again, at: checkPlace)
    }

    /// Reads the text that is all of `bytes`.
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

    /// Reads a text that has not changed; nil for anything else. Most texts are read by this alone.
    @inline(__always)
    init?(unchanged bytes: Span<UInt8>, run: UInt32) {
        let count = bytes.count
        guard count >= Self.bytesMin, bytes[0] == UInt8(ascii: "l"),
            let kind = Kind(rawValue: bytes[1])
        else { return nil }
        let raw = unsafe bytes.bytes
        // Once the check fits, all of it is as it was written, so that digits are digits.
        let check = Base32.digits(of: UInt64(Self.check(raw, 0, count &- 6)))
        guard (Base32.digits(raw, endingAt: count) ^ check) & 0xFFFF_FFFF_FFFF == 0,
            Base32.number(Base32.digits(raw, endingAt: 10)) >> 20 == UInt64(run)
        else { return nil }
        @inline(__always)
        func number(endingAt end: Int, _ digits: Int) -> UInt64 {
            Base32.number(Base32.digits(raw, endingAt: end)) & Base32.most(digits: digits)
        }
        self.init(
            kind: kind, run: run,
            room: UInt32(truncatingIfNeeded: number(endingAt: 11, 5)),
            sender: UInt32(truncatingIfNeeded: number(endingAt: 16, 5)),
            sequence: UInt32(truncatingIfNeeded: number(endingAt: 22, 6)),
            message: number(endingAt: 29, 7))
    }

    /// 30 bits in which each of at least eight bytes has a part: as FNV-1a, but eight bytes at a time, and two times
    /// in turns, because each step waits for the one before.
    @inline(__always)
    private static func check(_ bytes: RawSpan, _ lower: Int, _ upper: Int) -> UInt32 {
        func mix(_ hash: UInt64, _ place: Int) -> UInt64 {
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
            let mixed = (hash ^ UInt64(littleEndian: word)) &* 0x9E37_79B9_7F4A_7C15
            return mixed ^ mixed >> 32
        }
        var one: UInt64 = 0xCBF2_9CE4_8422_2325
        var two: UInt64 = 0x8422_2325_CBF2_9CE4
        var place = lower
        while place &+ 16 <= upper {
            one = mix(one, place)
            two = mix(two, place &+ 8)
            place &+= 16
        }
        if place &+ 8 <= upper { one = mix(one, place) }
        // The rest, and of what was there before as much as makes it a word.
        two = mix(two, upper &- 8)
        let hash = (one &+ two &* 0x100_0000_01B3) &* 0x9E37_79B9_7F4A_7C15
        // The highest bits: in them all others have a part.
        return UInt32(truncatingIfNeeded: hash >> 34)
    }
}
