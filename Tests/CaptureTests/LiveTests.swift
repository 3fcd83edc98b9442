import DialectModel
import DialectFiles
import Testing

@testable import Capture

@Suite struct LiveTests {
    /// Written text, and its length at each read.
    private final class Shown {
        var bytes: [UInt8] = []
        var countsAtReads: [Int] = []
    }

    private struct SharedText: TextSink {
        let shown: Shown

        mutating func write(_ bytes: UnsafeRawBufferPointer) {
            unsafe shown.bytes.append(contentsOf: bytes)
        }
    }

    private struct WatchedSource: CaptureSource {
        var pieces: [[UInt8]]
        let shown: Shown

        mutating func read(
            into room: UnsafeMutableRawBufferPointer
        ) throws(CaptureError) -> Int {
            shown.countsAtReads.append(shown.bytes.count)
            guard !pieces.isEmpty else { return 0 }
            let piece = pieces.removeFirst()
            unsafe room.copyBytes(from: piece)
            return piece.count
        }
    }

    @Test(arguments: [true, false])
    func flushesLiveOutputBeforeWaiting(isLive: Bool) throws {
        var connection = ScriptedConnection()
        connection.open()
        for number in 0..<20 { connection.send("PING \(number)\r\n") }
        let bytes = connection.capture
        let shown = Shown()
        // The first piece ends within a record.
        let pieces = [Array(bytes[..<1000]), Array(bytes[1000...])]
        let dialect = try DialectLibrary.find("irc").dialect
        var decoder = CaptureDecoder(
            WatchedSource(pieces: pieces, shown: shown),
            LogWriter(SharedText(shown: shown), dialect, LogOptions()), BoundDialect(dialect),
            ReassemblyOptions())
        decoder.isLive = isLive
        try decoder.run()
        decoder.finish()
        #expect(shown.countsAtReads.count == 3)
        #expect((shown.countsAtReads[1] > 400) == isLive)
        #expect(String(decoding: shown.bytes, as: UTF8.self).contains("\"19\""))
    }
}
