/// A parser that finds the records of pcap and pcapng files without copying them.
///
/// The parser works on a window of the file, and requests more bytes if the window is too short.
/// Because it handles one record at a time, memory use does not depend on the size of the capture.
package struct CaptureParser: Sendable {
    /// Maximum size of a packet, in bytes. This is also libpcap's limit for the supported link
    /// types.
    package static let packetBytesMax = 1 << 18
    /// Maximum number of bytes that a step may request: enough for a packet block of maximum size
    /// with its options.
    package static let windowBytesMin = packetBytesMax + (1 << 16)
    /// Maximum number of interfaces per section.
    static let interfacesMax = 65_536

    /// The result of one step of parsing a capture file.
    package enum Step: Sendable, Equatable {
        case packet(CaptureRecord)
        /// The parser needs this many bytes, starting at the current position.
        case needs(Int)
        case failed(CaptureError)
    }

    /// Format of the capture file, known once the first bytes have been read.
    enum Format: Sendable {
        case unknown
        case classic(ClassicFormat)
        case blocks
    }

    /// Properties from the header of a pcap file.
    struct ClassicFormat: Sendable {
        var isSwapped: Bool
        var nanosecondsPerUnit: Int64
        var recordHeaderCount: Int
        var linkType: LinkType
    }

    /// Index of the file, if several are read as one stream; otherwise 0.
    let file: UInt16

    var format = Format.unknown
    /// Offset of the window in the file.
    var windowOffset = 0
    /// Number of bytes in the current block that must still be skipped.
    var skipping = 0
    /// Receiver of the TLS secrets in the capture; nil to ignore them.
    var keys: TLSKeys?
    /// The start of a block with secrets that is being skipped because it does not fit in the
    /// window; nil for other blocks.
    var secrets: [UInt8]?
    var packets = 0
    /// Number of packets that were skipped because they were too large.
    package internal(set) var unreadPackets = 0
    /// Number of packets that were skipped because they referred to an unknown interface.
    package internal(set) var damagedPackets = 0
    /// Byte order of the current pcapng section.
    var isSwapped = false
    /// Interfaces of the current section. A pcap file is a section with one interface.
    var interfaces: [CaptureInterface] = []
    /// Number of interfaces in earlier sections.
    var earlierInterfaces: UInt32 = 0

    package init(file: UInt16 = 0) { self.file = file }

    /// Continues the packet and interface numbers of another parser, which has read the preceding
    /// packets.
    mutating func continueNumbers(of other: CaptureParser) {
        packets = other.packets
        unreadPackets = other.unreadPackets
        damagedPackets = other.damagedPackets
        earlierInterfaces = other.earlierInterfaces &+ UInt32(other.interfaces.count)
    }

    /// Returns the interface of the packet that was parsed last; nil if the capture does not
    /// describe it.
    func interface(of record: CaptureRecord) -> CaptureInterface? {
        let index = Int(record.interface &- earlierInterfaces)
        return interfaces.indices.contains(index) ? interfaces[index] : nil
    }

    /// Starts a section with these interfaces.
    mutating func startSection(_ interfaces: [CaptureInterface]) {
        earlierInterfaces &+= UInt32(self.interfaces.count)
        self.interfaces = interfaces
    }

    /// Variants of the pcap format: the magic number at the start of the file, the time unit in
    /// nanoseconds, and the size of a record header in bytes.
    private static let classicFormats: [(magic: UInt32, units: Int64, header: Int)] = [
        (0xA1B2_C3D4, 1_000, 16), (0xA1B2_3C4D, 1, 16), (0xA1B2_CD34, 1_000, 24),
    ]

    /// Returns whether another capture starts at `offset`, as in concatenated files.
    static func startsCapture(_ bytes: Span<UInt8>, _ offset: Int) -> Bool {
        guard bytes.count - offset >= 12 else { return false }
        let magic = bytes.big32(offset)
        if magic == sectionHeaderType {
            let order = bytes.big32(offset + 8)
            return order == byteOrderMagic || order == byteOrderMagic.byteSwapped
        }
        // The version, 2.4, follows.
        let version = bytes.big32(offset + 4)
        return (version == 0x0002_0004 || version == 0x0200_0400)
            && isClassic(magic)
    }

    /// Returns whether a file that starts with these bytes, of which there are at least four, may be
    /// a capture.
    static func isCapture(_ start: [UInt8]) -> Bool {
        let magic = start.span.big32(0)
        return magic == sectionHeaderType || isClassic(magic)
    }

    /// Returns whether a pcap file may start with this number, in either byte order.
    static func isClassic(_ magic: UInt32) -> Bool {
        classicFormats.contains { magic == $0.magic || magic == $0.magic.byteSwapped }
    }

    /// Prepares to parse the start of another capture in the next step.
    @inline(never)
    mutating func startAgain() -> Step {
        format = .unknown
        return .needs(1)
    }

    /// True if the file may end at the current position without being truncated.
    var isBetweenRecords: Bool {
        if case .unknown = format { return false }
        return skipping == 0
    }

    /// Parses the next packet in `bytes` at `offset`, and advances `offset` past it.
    @inline(__always)
    package mutating func next(_ bytes: Span<UInt8>, _ offset: inout Int) -> Step {
        if case .classic(let classic) = format {
            return nextClassic(classic, bytes, &offset)
        }
        return nextInBlocks(bytes, &offset)
    }

    /// Returns where the packet in the record at `position` starts in `bytes`, without reading the
    /// record, and advances `position` past it. Returns nil if `bytes` does not contain the record,
    /// or if it is not known whether it is a packet.
    @inline(__always)
    func peek(_ bytes: Span<UInt8>, _ position: inout Int) -> (start: Int, linkType: LinkType)? {
        var offset = position &- windowOffset
        let start: Int
        let type: LinkType
        switch format {
        case .classic(let format):
            let count = Int(bytes.file32(offset &+ 8, swapped: format.isSwapped))
            start = offset &+ format.recordHeaderCount
            offset = start &+ count
            type = format.linkType
        case .blocks:
            guard let packet = peekPacket(bytes, &offset) else { return nil }
            start = packet.start
            type = packet.linkType
        case .unknown: return nil
        }
        guard offset >= start, offset <= bytes.count else { return nil }
        position = windowOffset &+ offset
        return (start, type)
    }

    /// Moves the start of the window forward by `count` bytes.
    package mutating func moveWindow(by count: Int) { windowOffset += count }

    @inline(never)
    private mutating func nextInBlocks(_ bytes: Span<UInt8>, _ offset: inout Int) -> Step {
        if case .unknown = format {
            if let step = readStart(bytes, &offset) { return step }
            if case .classic(let classic) = format { return nextClassic(classic, bytes, &offset) }
        }
        return nextBlock(bytes, &offset)
    }

    /// Parses the first bytes of the file. Returns nil on success, which means that records follow.
    private mutating func readStart(_ bytes: Span<UInt8>, _ offset: inout Int) -> Step? {
        guard bytes.count - offset >= 4 else { return .needs(4) }
        let magic = bytes.big32(offset)
        if magic == Self.sectionHeaderType {
            format = .blocks
            return nil
        }
        for format in Self.classicFormats
        where magic == format.magic || magic == format.magic.byteSwapped {
            guard bytes.count - offset >= 24 else { return .needs(24) }
            // Numbers are read in host byte order and swapped if the file uses the other order.
            let isSwapped = bytes.file32(offset, swapped: false) != format.magic
            let network = bytes.file32(offset + 20, swapped: isSwapped)
            // The upper bits describe frame check sequences.
            let linkType = LinkType(UInt16(truncatingIfNeeded: network))
            startSection([
                CaptureInterface(
                    linkType: linkType,
                    snapLength: Int(bytes.file32(offset + 16, swapped: isSwapped)))
            ])
            self.format = .classic(
                ClassicFormat(
                    isSwapped: isSwapped, nanosecondsPerUnit: format.units,
                    recordHeaderCount: format.header, linkType: linkType))
            offset += 24
            return nil
        }
        return .failed(Self.unknownStart(bytes, offset))
    }

    @inline(__always)
    private mutating func nextClassic(
        _ format: ClassicFormat, _ bytes: Span<UInt8>, _ offset: inout Int
    ) -> Step {
        let header = format.recordHeaderCount
        guard bytes.count &- offset >= header else { return .needs(header) }
        let count = Int(bytes.file32(offset &+ 8, swapped: format.isSwapped))
        let original = Int(bytes.file32(offset &+ 12, swapped: format.isSwapped))
        // If another file's header is read as a record, its length is 0 (pcap) or very large
        // (pcapng).
        if (count == 0 && original == 0) || count > Self.packetBytesMax {
            if Self.startsCapture(bytes, offset) { return startAgain() }
            guard count == 0 else {
                return .failed(damaged("claims to contain \(count) bytes", offset))
            }
        }
        guard bytes.count &- offset >= header &+ count else { return .needs(header &+ count) }
        packets &+= 1
        let seconds = Int64(bytes.file32(offset, swapped: format.isSwapped))
        let units = Int64(bytes.file32(offset &+ 4, swapped: format.isSwapped))
        let start = offset &+ header
        offset = start &+ count
        return .packet(
            CaptureRecord(
                number: packets,
                time: seconds &* 1_000_000_000 &+ units &* format.nanosecondsPerUnit, start: start,
                count: count, originalCount: max(original, count), linkType: format.linkType,
                file: file, interface: earlierInterfaces))
    }

    /// Returns the error for an invalid record.
    func damaged(_ what: String, _ offset: Int) -> CaptureError {
        CaptureError(
            .damaged,
            "the record after packet \(packets), at byte \(windowOffset + offset), \(what)",
            help: "the packets before it were decoded; the rest was skipped")
    }

    /// Returns the error for a file that ends in the middle of a record.
    func cutShort(needed: Int, held: Int, _ offset: Int) -> CaptureError {
        let end = windowOffset + offset + held
        if case .unknown = format {
            let size =
                held == 0 ? "is empty" : held == 1 ? "has only 1 byte" : "has only \(held) bytes"
            return CaptureError(.notACapture, "not a pcap or pcapng file: it \(size)")
        }
        return CaptureError(
            .cutShort,
            "the capture ends in the middle of a record, after packet \(packets), at byte \(end)",
            help: "the packets before it were decoded")
    }
}
