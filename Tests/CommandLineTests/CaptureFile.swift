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
        /// The TCP flags; PSH and ACK by default.
        var flags: UInt8 = 0x18
    }

    /// A capture with one segment that contains a client's lines.
    static func bytes(_ text: String, client: UInt8 = 0x50) -> [UInt8] {
        bytes([Segment(text: text, client: client)])
    }

    /// A capture of segments that are one millisecond apart.
    ///
    /// - Parameter start: Time of the first segment, in seconds since 1970.
    static func bytes(_ segments: [Segment], startingAt start: Int = 1_700_000_000) -> [UInt8] {
        var bytes: [UInt8] = []
        for (value, count) in [(0xA1B2_C3D4, 4), (2, 2), (4, 2), (0, 8), (262_144, 4), (101, 4)] {
            bytes += little(value, count)
        }
        for (index, segment) in segments.enumerated() {
            let packet = packet(segment)
            for value in [start, index * 1_000, packet.count, packet.count] {
                bytes += little(value, 4)
            }
            bytes += packet
        }
        return bytes
    }

    /// A pcapng file of segments with the given timestamps, in the units of `resolution`, the value of
    /// the interface's `if_tsresol`.
    static func pcapng(_ segments: [Segment], at times: [UInt64], resolution: UInt8) -> [UInt8] {
        func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
            let padding = (4 - body.count % 4) % 4
            let count = little(12 + body.count + padding, 4)
            return little(type, 4) + count + body + Array(repeating: 0, count: padding) + count
        }
        let version = little(1, 2) + little(0, 2)
        var bytes = block(0x0A0D_0D0A, little(0x1A2B_3C4D, 4) + version + little(-1, 8))
        let option = little(9, 2) + little(1, 2) + [resolution, 0, 0, 0]
        bytes += block(1, little(101, 4) + little(65_535, 4) + option + little(0, 4))
        for (segment, time) in zip(segments, times) {
            let packet = packet(segment)
            let (high, low) = (Int(time >> 32), Int(time & 0xFFFF_FFFF))
            let head = [0, high, low, packet.count, packet.count].flatMap { little($0, 4) }
            bytes += block(6, head + packet)
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
        tcp += [0, 0, 0, 1, 0x50, segment.flags, 255, 255, 0, 0, 0, 0]
        tcp += Array(segment.text.utf8)
        var packet: [UInt8] = [0x45, 0]
        packet += big(tcp.count + 20, 2)
        packet += [0, 1, 0, 0, 64, 6, 0, 0]
        packet += segment.fromClient ? [10, 0, 0, 1, 10, 0, 0, 2] : [10, 0, 0, 2, 10, 0, 0, 1]
        return packet + tcp
    }

    /// Creates a folder with these files for the duration of `body`.
    static func withFolder<Result>(
        _ files: [String: [UInt8]], _ body: (URL) async throws -> Result
    ) async throws -> Result {
        try await Files.with { folder in
            for (name, bytes) in files {
                try Data(bytes).write(to: folder.appending(path: name))
            }
            return try await body(folder)
        }
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
