import LineProtocol
@testable import Capture

/// A consumer that records the events of a reassembly as text.
struct StreamLog: StreamConsumer {
    var lines: [String] = []
    /// Bytes of each stream; a gap is written as `<count>`.
    var streams: [String: String] = [:]

    private func key(_ connection: CapturedConnection, _ direction: Direction) -> String {
        "\(connection.number)\(direction == .fromClient ? ">" : "<")"
    }

    mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        lines.append("\(connection.number) opened by \(connection.client.text)")
    }

    mutating func bytes(
        _ connection: CapturedConnection, _ half: HalfStream, _ direction: Direction,
        _ bytes: Span<UInt8>, _ packet: PacketInfo
    ) {
        let text = String(decoding: bytes.array(0..<bytes.count), as: UTF8.self)
        streams[key(connection, direction), default: ""] += text
        lines.append("\(key(connection, direction)) \(text)")
    }

    mutating func gap(
        _ connection: CapturedConnection, _ direction: Direction, _ gap: StreamGap,
        _ packet: PacketInfo
    ) {
        streams[key(connection, direction), default: ""] += "<\(gap.count)>"
        lines.append("\(key(connection, direction)) gap \(gap.count) \(gap.reason.rawValue)")
    }

    mutating func conflict(
        _ connection: CapturedConnection, _ direction: Direction, _ conflict: StreamConflict,
        _ packet: PacketInfo
    ) {
        lines.append("\(key(connection, direction)) conflict \(conflict.count)")
    }

    mutating func halfClosed(
        _ connection: CapturedConnection, _ direction: Direction, _ packet: PacketInfo
    ) {
        lines.append("\(key(connection, direction)) fin")
    }

    mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        lines.append("\(connection.number) \(end.rawValue)")
    }

    mutating func settled(_ connection: CapturedConnection, _ packet: PacketInfo) {}
}

/// Reassembled streams of a capture.
struct StreamReading {
    var log: StreamLog
    var streams: StreamCounts
    var packets: PacketCounts
    var error: CaptureError?

    init(_ bytes: [UInt8], pieceBytesMax: Int = .max, options: ReassemblyOptions = .init()) {
        var reader = CaptureReader(MemorySource(bytes, pieceBytesMax: pieceBytesMax))
        var dissector = PacketDissector()
        var reassembler = Reassembler(StreamLog(), options)
        var last = PacketInfo(number: 0, time: 0)
        do throws(CaptureError) {
            while let record = try reader.next() {
                last = PacketInfo(number: record.number, time: record.time)
                switch dissector.dissect(reader.window.span, record) {
                case .segment(let segment): reassembler.take(segment, reader.window.span, last)
                case .assembled(let segment):
                    reassembler.take(segment, dissector.fragments.assembled.span, last)
                case .nothing: break
                }
            }
        } catch {
            self.error = error
        }
        reassembler.finish(last)
        log = reassembler.consumer
        streams = reassembler.counts
        packets = dissector.counts
    }
}
