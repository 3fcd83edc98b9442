import Console
import DialectFiles
import DialectModel
import Foundation
import Testing

@testable import Capture

/// Slices that are written to files.
@Suite struct SliceJobTests {
    private static let capture: [UInt8] = {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("NICK alice\r\n")
        connection.close()
        return connection.capture
    }()

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "linejudge-slice-\(UUID().uuidString)").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    /// A job that writes a slice of connection 1 in its second pass.
    private func write(_ slice: URL, _ stop: SharedFlag) throws -> SliceOutcome {
        var options = DecodeOptions()
        options.slice = try SliceTarget(slice.path, inputs: [])
        let pending = PendingSlice(
            connections: ConnectionNumbers([1]), dialects: DialectSet(try BoundDialect.find("irc")),
            reassembly: ReassemblyOptions())
        return CaptureDecoding(DecodeJob(options, isStopped: stop)).write(
            pending, from: PacketInput(MemorySource(Self.capture)))
    }

    @Test func anInterruptedSecondPassLeavesNoFile() throws {
        try withFolder { folder in
            let slice = folder.appending(path: "out.pcapng")
            let stop = SharedFlag()
            stop.set()
            let outcome = try write(slice, stop)
            #expect(outcome.isInterrupted && outcome.failure == nil)
            #expect(try names(folder) == [])
        }
    }

    @Test func aSliceReplacesAFileOnlyWhenItIsComplete() throws {
        try withFolder { folder in
            let slice = folder.appending(path: "out.pcapng")
            try Data("old".utf8).write(to: slice)
            let outcome = try write(slice, SharedFlag())
            #expect(!outcome.isInterrupted && outcome.failure == nil)
            let written = Array(try Data(contentsOf: slice))
            #expect(try Slicing.packets(written).count == outcome.packets)
            #expect(outcome.packets == 7 && outcome.connections == 1)
            let file = try StreamedFile(OutputFile(path: slice.path))
            try file.write([1, 2, 3])
            #expect(Array(try Data(contentsOf: slice)) == written)
            file.discard()
            #expect(Array(try Data(contentsOf: slice)) == written)
            #expect(try names(folder) == ["out.pcapng"])
        }
    }
}
