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
        let check = Self.check(target.span, place..<checkPlace)
        var again = target.mutableSpan
        Base32.write(UInt64(check), 6, to: &again, at: checkPlace)
    }

    /// Reads the text that is all of `bytes`.
    package init(reading bytes: Span<UInt8>, run: UInt32) throws(Flaw) {
        guard bytes.count >= 2, bytes[0] == UInt8(ascii: "l"), let kind = Kind(rawValue: bytes[1])
        else { throw .notOurs }
        guard bytes.count >= 6, let itsRun = Base32.read(bytes, 2, 4) else { throw .corrupted }
        guard itsRun == run else { throw .otherRun }
        let checkPlace = bytes.count - 6
        guard bytes.count >= Self.bytesMin, let check = Base32.read(bytes, checkPlace, 6),
            check == Self.check(bytes, 0..<checkPlace),
            let room = Base32.read(bytes, 6, 5), let sender = Base32.read(bytes, 11, 5),
            let sequence = Base32.read(bytes, 16, 6), let message = Base32.read(bytes, 22, 7)
        else { throw .corrupted }
        self.init(
            kind: kind, run: run, room: UInt32(room), sender: UInt32(sender),
            sequence: UInt32(sequence), message: message)
    }

    /// 30 bits in which every byte has a part: as FNV-1a, but eight bytes at a time, because each of them would
    /// wait for the one before.
    private static func check(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
        let words = unsafe bytes.extracting(range).bytes
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var place = 0
        while place &+ 8 <= words.byteCount {
            let word = unsafe words.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
            hash = (hash ^ UInt64(littleEndian: word)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
            place &+= 8
        }
        for rest in range.lowerBound + place..<range.upperBound {
            hash = (hash ^ UInt64(bytes[rest])) &* 0x100_0000_01B3
        }
        return UInt32(truncatingIfNeeded: hash ^ (hash >> 32)) & 0x3FFF_FFFF
    }
}
