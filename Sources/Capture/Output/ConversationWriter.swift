/// A writer that outputs a conversation as a synthetic pcapng capture that tools such as Wireshark
/// can open.
package struct ConversationWriter {
    /// The side of a connection that sends data.
    package enum Side: Sendable {
        case client, server
    }

    private static let segmentBytesMax = 32_768
    private static let firstPort = 40_000

    private struct Connection {
        var port: UInt16
        /// Next sequence numbers of the client and the server.
        var sequence: (UInt32, UInt32) = (1_000, 2_000)
    }

    /// Contents of the file so far.
    package var bytes: [UInt8] { blocks.bytes }
    private var blocks = PcapngBlocks()
    private let serverPort: UInt16
    private var connections: [Connection] = []

    package init(serverPort: Int) {
        self.serverPort = UInt16(clamping: serverPort)
        blocks.section()
        blocks.interface(.ethernet)
    }

    /// Adds a connection, and returns its index.
    ///
    /// - Parameter time: Time in nanoseconds since 1970.
    package mutating func connect(at time: Int64) -> Int {
        let port = Self.firstPort + connections.count % 20_000
        connections.append(Connection(port: UInt16(clamping: port)))
        let index = connections.count - 1
        packet(index, .client, flags: .syn, [], at: time)
        connections[index].sequence.0 += 1
        packet(index, .server, flags: [.syn, .ack], [], at: time)
        connections[index].sequence.1 += 1
        packet(index, .client, flags: .ack, [], at: time)
        return index
    }

    /// Adds data that one side sends.
    package mutating func send(_ data: [UInt8], by side: Side, over index: Int, at time: Int64) {
        var rest = data[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.segmentBytesMax))
            rest = rest.dropFirst(part.count)
            packet(index, side, flags: [.push, .ack], part, at: time)
            advance(index, side, by: part.count)
        }
    }

    /// Adds a FIN or RST that one side sends.
    package mutating func end(_ index: Int, by side: Side, isReset: Bool = false, at time: Int64) {
        packet(index, side, flags: isReset ? [.reset, .ack] : [.fin, .ack], [], at: time)
        advance(index, side, by: 1)
    }

    private mutating func advance(_ index: Int, _ side: Side, by count: Int) {
        switch side {
        case .client: connections[index].sequence.0 &+= UInt32(count)
        case .server: connections[index].sequence.1 &+= UInt32(count)
        }
    }

    // MARK: Packets

    private struct Flags: OptionSet {
        var rawValue: UInt8
        static let fin = Flags(rawValue: 1)
        static let syn = Flags(rawValue: 2)
        static let reset = Flags(rawValue: 4)
        static let push = Flags(rawValue: 8)
        static let ack = Flags(rawValue: 16)
    }

    private mutating func packet(
        _ index: Int, _ side: Side, flags: Flags, _ data: [UInt8], at time: Int64
    ) {
        let connection = connections[index]
        let isClient = side == .client
        let ports = isClient ? (connection.port, serverPort) : (serverPort, connection.port)
        let (own, other) =
            isClient
            ? connection.sequence : (connection.sequence.1, connection.sequence.0)
        var segment = Self.big(ports.0) + Self.big(ports.1) + Self.big(own)
        segment += Self.big(flags.contains(.ack) ? other : 0)
        segment += [0x50, flags.rawValue] + Self.big(UInt16(65_535)) + [0, 0, 0, 0] + data
        let address: [UInt8] = [127, 0, 0, 1]
        let pseudo = address + address + [0, 6] + Self.big(UInt16(segment.count))
        segment.replaceSubrange(16..<18, with: Self.big(Self.checksum(pseudo + segment)))
        var header: [UInt8] = [0x45, 0] + Self.big(UInt16(20 + segment.count))
        header += [0, 0, 0x40, 0, 64, 6, 0, 0] + address + address
        header.replaceSubrange(10..<12, with: Self.big(Self.checksum(header)))
        let frame = [UInt8](repeating: 0, count: 12) + [8, 0] + header + segment
        blocks.packet(frame.span, interface: 0, time: time, originalCount: frame.count)
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func big(_ value: UInt32) -> [UInt8] { number(value).reversed() }

    private static func big(_ value: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    /// Returns the Internet checksum of `bytes`.
    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        var sum: UInt32 = 0
        for index in stride(from: 0, to: bytes.count, by: 2) {
            let low = index + 1 < bytes.count ? UInt32(bytes[index + 1]) : 0
            sum += UInt32(bytes[index]) << 8 | low
        }
        while sum >> 16 != 0 { sum = sum & 0xFFFF + sum >> 16 }
        return ~UInt16(truncatingIfNeeded: sum)
    }
}
