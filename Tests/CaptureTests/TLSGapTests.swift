import Foundation
import Testing

@testable import Capture

/// Decryption of TLS sessions of which a part is missing from the capture.
@Suite(.enabled(if: TLSCipher.isAvailable)) struct TLSGapTests {
    /// Index of the first piece after the handshake.
    private func start(_ session: TLSRecording) -> Int {
        session.pieces.count - session.lines.count
    }

    /// Decodes the session without some segments.
    private func decode(
        _ session: TLSRecording, _ segments: [TLSRecording.Segment], without lost: Set<Int>
    ) throws -> (rows: [String], log: Decoding) {
        let capture = session.connection(segments) { !lost.contains($0) }.capture
        return (
            try TLSRecording.rows(capture, session.log),
            try Decoding.log(capture, keyLog: session.log)
        )
    }

    private static func bySide(_ rows: [String]) -> [String] {
        rows.filter { $0.hasPrefix("→") } + rows.filter { !$0.hasPrefix("→") }
    }

    /// Loses `count` segments in a row at each position after the handshake, and expects exactly
    /// the lines of the lost segments to be missing.
    private func loseEach(
        _ count: Int, of session: TLSRecording, size: Int, step: Int = 1
    ) throws {
        let segments = session.segments(of: size)
        let first = try #require(segments.firstIndex { $0.piece >= start(session) })
        for index in stride(from: first, through: segments.count - count, by: step) {
            let lost = Set(index..<(index + count))
            // A missing byte before which everything was captured may be a FIN.
            if lost.contains(where: { segments[$0].bytes.count == 1 }) { continue }
            let pieces = Set(lost.map { segments[$0].piece })
            let lines = Set(pieces.compactMap { session.line(inPiece: $0) })
            let (rows, log) = try decode(session, segments, without: lost)
            // While a decoder waits for lost bytes, the other side's lines overtake.
            #expect(
                try Self.bySide(rows) == Self.bySide(session.sent(without: lines)),
                "segment \(index)")
            #expect(log.counts.streams.gaps > 0)
            // If the header of a side's last record is lost, no header follows.
            let hasNext = [true, false].allSatisfy { side in
                segments.last { $0.isFromClient == side }.map { !pieces.contains($0.piece) } ?? true
            }
            if hasNext { #expect(log.counts.conversation.undecrypted == 0, "segment \(index)") }
        }
    }

    @Test(arguments: ["1.2-aes128-many", "1.2-chacha-many", "1.3-aes256-many"])
    func onlyTheLinesOfLostRecordsAreMissing(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        try loseEach(1, of: session, size: 2_000, step: 19)
        try loseEach(2, of: session, size: 2_000, step: 31)
        try loseEach(40, of: session, size: 2_000, step: 53)
    }

    @Test(arguments: ["1.2-aes128", "1.2-chacha", "1.3-aes128", "1.3-chacha"])
    func partsOfRecordsMayBeLost(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        for (size, step) in [(3, 17), (20, 3), (64, 1)] {
            try loseEach(1, of: session, size: size, step: step)
            try loseEach(3, of: session, size: size, step: step)
        }
    }

    @Test(arguments: ["1.2-aes128", "1.2-chacha", "1.3-aes128", "1.3-chacha"])
    func mostOfTheHandshakeMayBeLost(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        let size = 150
        let segments = session.segments(of: size)
        let hello = try #require(segments.lastIndex { $0.piece == 0 })
        for index in segments.indices where segments[index].piece < start(session) {
            // The server's hello is in its first segment.
            guard index > hello + 1 else { continue }
            let (rows, log) = try decode(session, segments, without: [index])
            #expect(
                try Self.bySide(rows) == Self.bySide(session.sent()),
                "segment \(index) of piece \(segments[index].piece)")
            #expect(log.counts.conversation.undecrypted == 0)
        }
    }

    @Test(arguments: ["1.2-aes128", "1.3-aes128"])
    func withoutAHelloNothingIsDecrypted(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        let segments = session.segments(of: 60)
        let server = try #require(segments.firstIndex { !$0.isFromClient })
        for index in 0...server {
            let (rows, log) = try decode(session, segments, without: [index])
            // If the first segment is missing, this is not known to be TLS.
            if index > 0 {
                #expect(rows.isEmpty, "\(rows)")
                #expect(
                    log.text.contains("not decoded")
                        || log.text.contains("the start of the handshake is missing"),
                    "\(log.text)")
            }
        }
    }

    @Test(arguments: ["key-update", "key-updates"])
    func keyUpdatesMayBeLost(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        let segments = session.segments(of: 2_000)
        let sent = try session.sent()
        // Each KeyUpdate is the only record of its piece.
        let updates = segments.indices.filter { segments[$0].bytes.count == 27 }
        #expect(updates.count >= 4)
        for index in updates.dropLast() {
            let (rows, log) = try decode(session, segments, without: [index])
            #expect(Self.bySide(rows) == Self.bySide(sent))
            #expect(log.counts.conversation.undecrypted == 0)
        }
    }

    @Test(arguments: ["1.2-aes128", "1.3-aes128"])
    func recordsCutBySnapLengthAreSkipped(_ name: String) async throws {
        let session = try await TLSRecording.named(name)
        var connection = session.connection()
        // The longest message needs several hundred bytes; the others fit.
        let snapLength = 54 + 120
        let handshake = connection.packets.count - 5 - session.lines.count
        var cut: Set<Int> = []
        for index in connection.packets.indices where index >= handshake {
            let count = connection.packets[index].bytes.count
            guard count > snapLength else { continue }
            connection.packets[index].originalCount = count
            connection.packets[index].bytes.removeLast(count - snapLength)
            cut.insert(index - handshake)
        }
        #expect(!cut.isEmpty)
        #expect(
            try TLSRecording.rows(connection.capture, session.log) == session.sent(without: cut))
        let log = try Decoding.log(connection.capture, keyLog: session.log)
        #expect(log.text.contains("truncated by the snap length"))
        #expect(log.counts.conversation.undecrypted == 0)
    }

    @Test func theSearchAfterAGapIsLimited() async throws {
        let session = try await TLSRecording.named("1.3-aes128-many")
        for (count, isFound) in [(900_000, true), (TLSRecordReader.lostBytesMax, false)] {
            var connection = ScriptedConnection(server: "10.0.0.2:6697")
            connection.open()
            let middle = session.pieces.count / 2
            for (index, piece) in session.pieces.enumerated() {
                // As many bytes as if some of the longest records were lost. The next records have
                // numbers that are too low for that, until as many records have followed.
                if index == middle {
                    connection.move(count, false)
                    connection.acknowledge(fromClient: true)
                    connection.time += 1_000_000_000
                }
                connection.send(piece.bytes, fromClient: piece.isFromClient)
            }
            connection.close()
            let log = try Decoding.log(connection.capture, keyLog: session.log)
            let text = "the server's data not decrypted from here on: the next record could not be"
            #expect(log.text.contains(text) != isFound, "\(log.text)")
            #expect(log.counts.conversation.undecrypted == (isFound ? 0 : 1))
            // The client's lines are decrypted to the end.
            #expect(log.text.contains("message 199"))
            #expect(log.text.contains("message 198") == isFound)
        }
    }

    @Test func outOfOrderHellosAreWaitedFor() async throws {
        let session = try await TLSRecording.named("1.2-aes128")
        var connection = session.connection(size: 2_000)
        // The client's second flight comes before the server's first one, as in merged captures
        // whose clocks differ.
        connection.packets.swapAt(4, 5)
        #expect(try TLSRecording.rows(connection.capture, session.log) == session.sent())
    }
}
