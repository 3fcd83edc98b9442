import LineProtocol

/// Parses pcapng (draft-ietf-opsawg-pcapng). A block consists of a type, a length, the body, and
/// the length again.
extension CaptureParser {
    static let sectionHeaderType: UInt32 = 0x0A0D_0D0A
    private static let interfaceType: UInt32 = 1
    private static let oldPacketType: UInt32 = 2
    private static let simplePacketType: UInt32 = 3
    private static let packetType: UInt32 = 6
    private static let secretsType: UInt32 = 10
    /// Type of secrets: a TLS key log.
    private static let keyLogType: UInt32 = 0x544C_534B
    /// Number of bytes in a block other than its body: the type and length before it, and the
    /// length after it.
    private static let frameBytes = 12
    static let byteOrderMagic: UInt32 = 0x1A2B_3C4D
    /// Block length above which the file is considered damaged.
    private static let blockBytesMax = 1 << 30

    /// A pcapng block that starts in the parser's window.
    private struct Block {
        var start: Int
        var type: UInt32
        var count: Int

        var body: Int { start + 8 }
        var bodyEnd: Int { start + count - 4 }
    }

    /// Parses blocks up to and including the next packet.
    mutating func nextBlock(_ bytes: Span<UInt8>, _ offset: inout Int) -> Step {
        while true {
            if skipping > 0 {
                let count = min(skipping, bytes.count - offset)
                secrets? += bytes.array(offset..<(offset + count))
                skipping -= count
                offset += count
                guard skipping == 0 else { return .needs(1) }
                if let block = secrets { takeSecrets(block.span) }
                secrets = nil
            }
            guard bytes.count - offset >= Self.frameBytes else { return .needs(Self.frameBytes) }
            if bytes.big32(offset) == Self.sectionHeaderType,
                let failure = readByteOrder(bytes, offset)
            {
                return .failed(failure)
            }
            let block = Block(
                start: offset, type: bytes.file32(offset, swapped: isSwapped),
                count: Int(bytes.file32(offset + 4, swapped: isSwapped)))
            if !isRead(block), Self.startsCapture(bytes, offset) { return startAgain() }
            guard block.count >= Self.frameBytes, block.count % 4 == 0,
                block.count <= Self.blockBytesMax
            else {
                return .failed(damaged("has an invalid length of \(block.count) bytes", offset))
            }
            guard bytes.count - offset >= block.count else {
                if isRead(block), block.count <= Self.windowBytesMin { return .needs(block.count) }
                // The block is not needed, or is too large.
                if isPacket(block.type) { unreadPackets += 1 }
                if block.type == Self.secretsType, keys != nil,
                    block.count <= TLSKeys.logBytesMax
                {
                    secrets = []
                }
                skipping = block.count
                continue
            }
            if Int(bytes.file32(block.bodyEnd, swapped: isSwapped)) != block.count {
                return .failed(damaged("has two different lengths", offset))
            }
            offset += block.count
            if let step = read(block, bytes) { return step }
        }
    }

    /// Returns where the packet in the block at `offset` starts in `bytes`, without reading the
    /// block, and advances `offset` past it. Returns nil if the block is not an enhanced packet
    /// block.
    @inline(__always)
    func peekPacket(
        _ bytes: Span<UInt8>, _ offset: inout Int
    ) -> (start: Int, linkType: LinkType)? {
        let count = Int(bytes.file32(offset &+ 4, swapped: isSwapped))
        let number = Int(bytes.file32(offset &+ 8, swapped: isSwapped))
        guard bytes.file32(offset, swapped: isSwapped) == Self.packetType, count >= 32,
            number < interfaces.count
        else { return nil }
        let start = offset &+ 28
        offset &+= count
        return (start, interfaces[number].linkType)
    }

    private func isPacket(_ type: UInt32) -> Bool {
        type == Self.packetType || type == Self.simplePacketType || type == Self.oldPacketType
    }

    private func isRead(_ block: Block) -> Bool {
        isPacket(block.type) || block.type == Self.interfaceType
            || block.type == Self.sectionHeaderType
    }

    /// Determines the byte order of a section, which is needed to read the section's length.
    /// Returns an error if the byte order is unknown, otherwise nil.
    private mutating func readByteOrder(_ bytes: Span<UInt8>, _ offset: Int) -> CaptureError? {
        let magic = bytes.file32(offset + 8, swapped: false)
        guard magic == Self.byteOrderMagic || magic.byteSwapped == Self.byteOrderMagic else {
            return damaged("starts a section with an unknown byte order", offset)
        }
        isSwapped = magic != Self.byteOrderMagic
        return nil
    }

    /// Parses a block that is completely in the window. Returns nil if it is not a packet.
    private mutating func read(_ block: Block, _ bytes: Span<UInt8>) -> Step? {
        switch block.type {
        case Self.sectionHeaderType:
            startSection([])
            let major = bytes.file16(block.body + 4, swapped: isSwapped)
            guard block.count >= 28, major == 1 else {
                return .failed(
                    damaged("starts a section with the unknown version \(major)", block.start))
            }
        case Self.interfaceType:
            guard block.count >= 20, interfaces.count < Self.interfacesMax else {
                return .failed(damaged("describes an invalid interface", block.start))
            }
            interfaces.append(interface(block, bytes))
        case Self.packetType: return enhancedPacket(block, bytes)
        case Self.simplePacketType: return simplePacket(block, bytes)
        case Self.oldPacketType: return oldPacket(block, bytes)
        case Self.secretsType where keys != nil:
            takeSecrets(bytes.extracting(block.start..<(block.start + block.count)))
        default: break
        }
        return nil
    }

    /// Takes the secrets from a block.
    private func takeSecrets(_ block: Span<UInt8>) {
        let start = 16
        guard block.count >= start + 4, block.file32(8, swapped: isSwapped) == Self.keyLogType
        else {
            return
        }
        let count = Int(block.file32(12, swapped: isSwapped))
        let log = block.array(start..<min(start + count, block.count - 4))
        keys?.add(captured: log[...])
    }

    private func interface(_ block: Block, _ bytes: Span<UInt8>) -> CaptureInterface {
        var result = CaptureInterface(
            linkType: LinkType(bytes.file16(block.body, swapped: isSwapped)),
            snapLength: Int(bytes.file32(block.body + 4, swapped: isSwapped)))
        var option = block.body + 8
        while option + 4 <= block.bodyEnd {
            let code = bytes.file16(option, swapped: isSwapped)
            let count = Int(bytes.file16(option + 2, swapped: isSwapped))
            let value = option + 4
            guard code != 0, value + count <= block.bodyEnd else { break }
            if code == 2 {
                let nameEnd = value + min(count, CaptureInterface.nameBytesMax)
                result.name = bytes.array(value..<nameEnd)
            } else if code == 9, count == 1 {
                let power = Int(bytes[value] & 0x7F)
                result.resolution = bytes[value] & 0x80 != 0 ? .binary(power) : .decimal(power)
            } else if code == 14, count == 8 {
                result.offsetSeconds = Int64(
                    bitPattern: bytes.file64(value, swapped: isSwapped))
            }
            option = value + (count + 3) / 4 * 4
        }
        return result
    }

    private mutating func enhancedPacket(_ block: Block, _ bytes: Span<UInt8>) -> Step? {
        guard block.count >= 32 else {
            return .failed(damaged("is too short for a packet", block.start))
        }
        return packet(
            block, bytes, interface: Int(bytes.file32(block.body, swapped: isSwapped)))
    }

    /// Parses an obsolete packet block, which contains a 16-bit interface number and a drop count.
    /// Returns nil if the packet is skipped.
    private mutating func oldPacket(_ block: Block, _ bytes: Span<UInt8>) -> Step? {
        guard block.count >= 32 else {
            return .failed(damaged("is too short for a packet", block.start))
        }
        return packet(
            block, bytes, interface: Int(bytes.file16(block.body, swapped: isSwapped)))
    }

    private mutating func packet(
        _ block: Block, _ bytes: Span<UInt8>, interface number: Int
    ) -> Step? {
        let count = Int(bytes.file32(block.body + 12, swapped: isSwapped))
        let start = block.body + 20
        guard start + count <= block.bodyEnd else {
            return .failed(damaged("claims to contain \(count) bytes", block.start))
        }
        packets += 1
        guard number < interfaces.count else {
            damagedPackets += 1
            return nil
        }
        guard count <= Self.packetBytesMax else {
            unreadPackets += 1
            return nil
        }
        let units =
            UInt64(bytes.file32(block.body + 4, swapped: isSwapped)) << 32
            | UInt64(bytes.file32(block.body + 8, swapped: isSwapped))
        let original = Int(bytes.file32(block.body + 16, swapped: isSwapped))
        return .packet(
            CaptureRecord(
                number: packets, time: interfaces[number].nanoseconds(units), start: start,
                count: count, originalCount: max(original, count),
                linkType: interfaces[number].linkType, file: file,
                interface: earlierInterfaces &+ UInt32(number)))
    }

    /// Parses a simple packet block, which contains a packet from the first interface without a
    /// timestamp. Returns nil if the packet is skipped.
    private mutating func simplePacket(_ block: Block, _ bytes: Span<UInt8>) -> Step? {
        guard block.count >= 16 else {
            return .failed(damaged("is too short for a packet", block.start))
        }
        packets += 1
        guard let interface = interfaces.first else {
            damagedPackets += 1
            return nil
        }
        let original = Int(bytes.file32(block.body, swapped: isSwapped))
        var count = min(original, block.bodyEnd - block.body - 4)
        if interface.snapLength > 0 { count = min(count, interface.snapLength) }
        guard count <= Self.packetBytesMax else {
            unreadPackets += 1
            return nil
        }
        return .packet(
            CaptureRecord(
                number: packets, time: CaptureRecord.timeUnknown, start: block.body + 4,
                count: count, originalCount: max(original, count),
                linkType: interface.linkType, file: file, interface: earlierInterfaces))
    }
}
