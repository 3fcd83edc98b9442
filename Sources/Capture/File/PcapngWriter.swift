/// A writer that copies packets of captures to a pcapng file, along with the descriptions of their
/// interfaces.
struct PcapngWriter {
    /// Maximum number of interfaces per section. If there are more, another section starts.
    static let interfacesMax = 65_535

    /// An interface of a capture.
    private struct Origin: Hashable {
        var file: UInt16
        var interface: UInt32
    }

    private var blocks = PcapngBlocks()
    /// Index in the current section of each interface that it describes.
    private var interfaces: [Origin: UInt32] = [:]
    private var firstInterface: Origin?

    /// The bytes written since ``removeAll()`` was last called.
    var bytes: [UInt8] { blocks.bytes }

    /// Removes the bytes after they have been copied elsewhere. The section continues.
    mutating func removeAll() { blocks.removeAll() }

    /// Adds a packet. A packet without a time becomes a simple packet block, which always belongs
    /// to the first interface of its section and has no comments.
    mutating func add(
        _ packet: Span<UInt8>, _ record: CaptureRecord, _ interface: CaptureInterface,
        comments: [[UInt8]] = []
    ) {
        let origin = Origin(file: record.file, interface: record.interface)
        let hasTime = record.time != CaptureRecord.timeUnknown
        if firstInterface == nil || !hasTime && firstInterface != origin
            || interfaces.count >= Self.interfacesMax && interfaces[origin] == nil
        {
            blocks.section()
            interfaces.removeAll()
            firstInterface = origin
        }
        let index = interfaces[origin] ?? describe(interface, origin)
        if hasTime {
            blocks.packet(
                packet, interface: index, time: record.time, originalCount: record.originalCount,
                comments: comments)
        } else {
            blocks.simplePacket(packet, originalCount: record.originalCount)
        }
    }

    private mutating func describe(_ interface: CaptureInterface, _ origin: Origin) -> UInt32 {
        let index = UInt32(interfaces.count)
        interfaces[origin] = index
        blocks.interface(
            interface.linkType, snapLength: interface.snapLength, name: interface.name)
        return index
    }
}
