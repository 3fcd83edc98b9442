package import LineProtocol

/// A writer that outputs a conversation as a synthetic pcapng capture that tools such as Wireshark
/// can open.
package struct ConversationWriter {
    private static let firstPort = 40_000

    /// Contents of the file so far.
    package var bytes: [UInt8] { blocks.bytes }
    private var blocks = PcapngBlocks()
    private let serverPort: UInt16
    private var connections: [SyntheticConnection] = []

    package init(serverPort: Int) {
        self.serverPort = UInt16(clamping: serverPort)
        blocks.section()
        blocks.interface(.ethernet)
    }

    /// Adds a connection, and returns its index.
    ///
    /// - Parameter time: Time in nanoseconds since 1970.
    package mutating func connect(at time: Int64) -> Int {
        let port = UInt16(Self.firstPort + connections.count % 20_000)
        let loopback = IPAddress(ipv4: 0x7F00_0001)
        connections.append(
            SyntheticConnection(
                client: IPEndpoint(address: loopback, port: port),
                server: IPEndpoint(address: loopback, port: serverPort),
                number: connections.count))
        let index = connections.count - 1
        add(connections[index].packet(.syn, from: .fromClient), at: time)
        add(connections[index].packet([.syn, .ack], from: .fromServer), at: time)
        add(connections[index].packet(.ack, from: .fromClient), at: time)
        return index
    }

    /// Adds data that one side sends.
    package mutating func send(
        _ data: [UInt8], from direction: Direction, over index: Int, at time: Int64
    ) {
        for packet in connections[index].packets(data, from: direction) { add(packet, at: time) }
    }

    /// Adds a FIN or RST that one side sends.
    package mutating func end(
        _ index: Int, from direction: Direction, isReset: Bool = false, at time: Int64
    ) {
        let flags: Segment.Flags = isReset ? [.rst, .ack] : [.fin, .ack]
        add(connections[index].packet(flags, from: direction), at: time)
    }

    private mutating func add(_ packet: [UInt8], at time: Int64) {
        blocks.packet(packet.span, interface: 0, time: time, originalCount: packet.count)
    }
}
