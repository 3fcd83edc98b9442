import Foundation

/// Capture files with raw IPv4 in which TCP connections start mid-stream.
enum CaptureFile {
    /// A segment sent by the client or the server.
    struct Segment {
        var text: String
        var fromClient = true
        /// The last byte of the client's port number.
        var client: UInt8 = 0x50
        var port: UInt16 = 6667
        /// The number of bytes that the same side has sent before.
        var offset = 0
    }

    /// A capture with one segment that contains a client's lines.
    static func bytes(_ text: String, client: UInt8 = 0x50) -> [UInt8] {
        bytes([Segment(text: text, client: client)])
    }

    /// A capture of segments that are one millisecond apart.
    static func bytes(_ segments: [Segment]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (value, count) in [(0xA1B2_C3D4, 4), (2, 2), (4, 2), (0, 8), (262_144, 4), (101, 4)] {
            bytes += little(value, count)
        }
        for (index, segment) in segments.enumerated() {
            let packet = packet(segment)
            for value in [1_700_000_000, index * 1_000, packet.count, packet.count] {
                bytes += little(value, 4)
            }
            bytes += packet
        }
        return bytes
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        little(value, count).reversed()
    }

    private static func packet(_ segment: Segment) -> [UInt8] {
        let client: [UInt8] = [0xC3, segment.client]
        let server = big(Int(segment.port), 2)
        var tcp = segment.fromClient ? client + server : server + client
        tcp += big(1 + segment.offset, 4)
        tcp += [0, 0, 0, 1, 0x50, 0x18, 255, 255, 0, 0, 0, 0]
        tcp += Array(segment.text.utf8)
        var packet: [UInt8] = [0x45, 0]
        packet += big(tcp.count + 20, 2)
        packet += [0, 1, 0, 0, 64, 6, 0, 0]
        packet += segment.fromClient ? [10, 0, 0, 1, 10, 0, 0, 2] : [10, 0, 0, 2, 10, 0, 0, 1]
        return packet + tcp
    }

    /// Writes a file for the duration of `body`.
    static func with<Result>(
        _ bytes: [UInt8], named name: String = "trace.pcap",
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        try await Files.with { folder in
            let file = folder.appending(path: name)
            try Data(bytes).write(to: file)
            return try await body(file.path)
        }
    }
}
