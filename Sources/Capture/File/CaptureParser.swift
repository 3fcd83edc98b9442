/// Takes the records of a pcap or pcapng file off a stream of bytes, without copying them.
///
/// It is given a window of the file and moves on in it; what the window lacks it asks for. It never looks
/// at more than one record, so that a capture of any size takes no memory here.
package struct CaptureParser: Sendable {
    /// The longest packet that is taken. libpcap's own maximum is 262144 for all link types read here.
    package static let packetBytesMax = 1 << 18
    /// The most bytes that one step asks for: a packet in its block, with options.
    package static let windowBytesMin = packetBytesMax + (1 << 16)
    /// The most interfaces of a section.
    static let interfacesMax = 65_536

    /// What a step came to.
    package enum Step: Sendable, Equatable {
        case packet(CaptureRecord)
        /// So many bytes are needed from the place where the parser stands.
        case needs(Int)
        case failed(CaptureError)
    }

    /// The file's form, once its first bytes were seen.
    enum Form: Sendable {
        case unknown
        case classic(ClassicForm)
        case blocks
    }

    /// What the header of a pcap file says.
    struct ClassicForm: Sendable {
        var isSwapped: Bool
        var nanosecondsPerUnit: Int64
        var recordHeaderCount: Int
        var linkType: LinkType
    }

    var form = Form.unknown
    /// The bytes of the file before the window's first.
    var windowOffset = 0
    /// Bytes of an unread block that are passed over.
    var skipping = 0
    var packets = 0
    /// Packets that are larger than the maximum, and pcapng blocks that name no known interface.
    package internal(set) var unreadPackets = 0
    // pcapng
    var isSwapped = false
    var interfaces: [CaptureInterface] = []

    /// A parser at a file's start.
    package init() {}

    /// Whether the file may end where the parser stands.
    var isBetweenRecords: Bool {
        if case .unknown = form { return false }
        return skipping == 0
    }

    /// The next packet in `bytes` from `place` on; moves `place` past what was read.
    @inline(__always)
    package mutating func next(_ bytes: Span<UInt8>, _ place: inout Int) -> Step {
        if case .classic(let classic) = form {
            return nextClassic(classic, bytes, &place)
        }
        return nextInBlocks(bytes, &place)
    }

    /// Tells the parser that the window now starts `count` bytes further on in the file.
    package mutating func moveWindow(by count: Int) { windowOffset += count }

    @inline(never)
    private mutating func nextInBlocks(_ bytes: Span<UInt8>, _ place: inout Int) -> Step {
        if case .unknown = form {
            if let step = readStart(bytes, &place) { return step }
            if case .classic(let classic) = form { return nextClassic(classic, bytes, &place) }
        }
        return nextBlock(bytes, &place)
    }

    /// Reads the file's first bytes; nil if records follow.
    private mutating func readStart(_ bytes: Span<UInt8>, _ place: inout Int) -> Step? {
        guard bytes.count - place >= 4 else { return .needs(4) }
        let magic = bytes.big32(place)
        if magic == Self.sectionHeaderType {
            form = .blocks
            return nil
        }
        let forms: [(magic: UInt32, units: Int64, header: Int)] = [
            (0xA1B2_C3D4, 1_000, 16), (0xA1B2_3C4D, 1, 16), (0xA1B2_CD34, 1_000, 24),
        ]
        for form in forms where magic == form.magic || magic == form.magic.byteSwapped {
            guard bytes.count - place >= 24 else { return .needs(24) }
            // The numbers below are read in this machine's order, and swapped if that is not the file's.
            let isSwapped = bytes.file32(place, swapped: false) != form.magic
            let network = bytes.file32(place + 20, swapped: isSwapped)
            self.form = .classic(
                ClassicForm(
                    isSwapped: isSwapped, nanosecondsPerUnit: form.units,
                    recordHeaderCount: form.header,
                    // The upper bits tell of frame check sequences.
                    linkType: LinkType(UInt16(truncatingIfNeeded: network))))
            place += 24
            return nil
        }
        return .failed(Self.unknownStart(bytes, place))
    }

    @inline(__always)
    private mutating func nextClassic(
        _ form: ClassicForm, _ bytes: Span<UInt8>, _ place: inout Int
    ) -> Step {
        let header = form.recordHeaderCount
        guard bytes.count &- place >= header else { return .needs(header) }
        let count = Int(bytes.file32(place &+ 8, swapped: form.isSwapped))
        let original = Int(bytes.file32(place &+ 12, swapped: form.isSwapped))
        guard count <= Self.packetBytesMax else {
            return .failed(damaged("says that it holds \(count) bytes", place))
        }
        guard bytes.count &- place >= header &+ count else { return .needs(header &+ count) }
        packets &+= 1
        let seconds = Int64(bytes.file32(place, swapped: form.isSwapped))
        let units = Int64(bytes.file32(place &+ 4, swapped: form.isSwapped))
        let start = place &+ header
        place = start &+ count
        return .packet(
            CaptureRecord(
                number: packets,
                time: seconds &* 1_000_000_000 &+ units &* form.nanosecondsPerUnit, start: start,
                count: count, originalCount: max(original, count), linkType: form.linkType))
    }

    /// The error of a record that cannot be.
    func damaged(_ what: String, _ place: Int) -> CaptureError {
        CaptureError(
            .damaged,
            "the record after packet \(packets), at byte \(windowOffset + place), \(what)",
            at: windowOffset + place, help: "what stands before it was read; the rest is lost")
    }

    /// The error where the file ends while a record needs `needed` bytes and has `held`.
    func cutShort(needed: Int, held: Int, _ place: Int) -> CaptureError {
        let offset = windowOffset + place + held
        if case .unknown = form {
            return CaptureError(
                .notACapture, "this is no capture: the file has only \(held) bytes", at: offset)
        }
        return CaptureError(
            .cutShort,
            "the capture ends in the middle of a record, after packet \(packets), at byte \(offset)",
            at: offset, help: "what stands before it was read")
    }
}
