@testable import Capture

/// A builder for the packets of one TCP connection together with the expected streams.
struct ScriptedConnection {
    var client = "10.0.0.1:50000"
    var server = "10.0.0.2:6667"
    var clientNext: UInt32 = 1000
    var serverNext: UInt32 = 9_000_000
    var wrapping = Wrapping.ethernet
    var time: Int64 = 1_700_000_000_000_000_000
    var packets: [CapturedPacket] = []

    mutating func append(_ packet: TCPPacket, at index: Int? = nil) {
        let captured = CapturedPacket(bytes: wrapping.wrap(packet.ipv4), time: time)
        time += 1_000_000
        packets.insert(captured, at: index ?? packets.count)
    }

    func packet(fromClient: Bool, _ text: String = "", _ flags: Segment.Flags = [.ack]) -> TCPPacket
    {
        TCPPacket(
            source: fromClient ? client : server, target: fromClient ? server : client,
            sequence: fromClient ? clientNext : serverNext,
            acknowledgement: fromClient ? serverNext : clientNext, flags: flags,
            payload: Array(text.utf8))
    }

    mutating func open() {
        var syn = packet(fromClient: true, "", [.syn])
        syn.acknowledgement = 0
        append(syn)
        clientNext &+= 1
        append(packet(fromClient: false, "", [.syn, .ack]))
        serverNext &+= 1
        append(packet(fromClient: true))
    }

    mutating func send(_ text: String, fromClient: Bool = true, isCaptured: Bool = true) {
        send(Array(text.utf8), fromClient: fromClient, isCaptured: isCaptured)
    }

    mutating func send(_ bytes: [UInt8], fromClient: Bool = true, isCaptured: Bool = true) {
        var packet = packet(fromClient: fromClient)
        packet.payload = bytes
        if isCaptured { append(packet) }
        move(bytes.count, fromClient)
    }

    mutating func move(_ count: Int, _ fromClient: Bool) {
        if fromClient {
            clientNext &+= UInt32(count)
        } else {
            serverNext &+= UInt32(count)
        }
    }

    mutating func acknowledge(fromClient: Bool = false) {
        append(packet(fromClient: fromClient))
    }

    mutating func finish(fromClient: Bool) {
        append(packet(fromClient: fromClient, "", [.fin, .ack]))
        move(1, fromClient)
    }

    mutating func close() {
        finish(fromClient: true)
        finish(fromClient: false)
        acknowledge(fromClient: true)
    }

    var capture: [UInt8] { CaptureWriter.pcap(packets, linkType: wrapping.linkType) }
}
