import DialectModel
import Foundation
import LineProtocol
import Testing

@testable import Capture

/// Generated captures, compared with the lines that an independent reader finds in them.
///
/// `Tools/make_captures.py` writes the captures, and `Tools/read_capture.py` is the reader.
@Suite struct GeneratedCaptureTests {
    private static let count = 240

    /// A line that the reader has found.
    private struct Line: Decodable {
        var connection: Int
        var direction: String
        var text: String
        /// The packet that completed the line; nil if this depends on how long a decoder waits for
        /// missing bytes.
        var packet: Int?

        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            connection = try parts.decode(Int.self)
            direction = try parts.decode(String.self)
            text = try parts.decode(String.self)
            packet = try parts.decodeIfPresent(Int.self)
        }

        init(row: Substring) throws {
            let parts = row.split(separator: "\t", omittingEmptySubsequences: false)
            try #require(parts.count == 4, "\(row)")
            packet = Int(parts[0])
            connection = try #require(Int(parts[1]))
            direction = parts[2] == "→" ? ">" : "<"
            text = String(parts[3])
        }

        /// The line, with its packet only if `other` states one.
        func text(like other: Line?) -> String {
            let number = other?.packet == nil ? nil : packet
            return "\(number.map { "\($0): " } ?? "")\(text)"
        }
    }

    private static func tool(_ name: String, _ arguments: String...) throws -> Data {
        let tools = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Tools")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", tools.appending(path: name).path] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(name) failed")
        return data
    }

    private func lines(_ path: URL) throws -> [Line] {
        var set = DialectSet(try BoundDialect.find("plain"))
        set.ports = [6667: 0]
        var decoder = CaptureDecoder(
            MemorySource(try [UInt8](Data(contentsOf: path))),
            LinesWriter(CollectedText(), [set.dialects[0].dialect], showsSecrets: true), set,
            ReassemblyOptions())
        do throws(CaptureError) {
            try decoder.run()
        } catch {
            #expect(path.path.contains("-tail-"), "\(path.lastPathComponent): \(error)")
        }
        decoder.finish()
        let bytes = (decoder.sink.target as? CollectedText)?.bytes ?? []
        return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(
            Line.init(row:))
    }

    private func compare(_ found: [Line], _ expected: [Line], _ name: String) {
        let streams = Set((found + expected).map { "\($0.connection)\($0.direction)" })
        for stream in streams.sorted() {
            let found = found.filter { "\($0.connection)\($0.direction)" == stream }
            let expected = expected.filter { "\($0.connection)\($0.direction)" == stream }
            let texts = found.enumerated().map { index, line in
                line.text(like: index < expected.count ? expected[index] : nil)
            }
            guard texts != expected.map({ $0.text(like: $0) }) else { continue }
            Issue.record(
                """
                \(name) \(stream)
                decoded:  \(texts.joined(separator: " | "))
                expected: \(expected.map { $0.text(like: $0) }.joined(separator: " | "))
                """)
        }
    }

    @Test func decodesTheLinesThatAnIndependentReaderFinds() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "linejudge-captures-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try Self.tool("make_captures.py", folder.path, String(Self.count))
        let paths = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
        try #require(paths.count == Self.count)
        let read = try Self.tool("read_capture.py", paths.map(\.path).joined(separator: ","))
        let expected = try read.split(separator: 0x0A).map {
            try JSONDecoder().decode([Line].self, from: $0)
        }
        try #require(expected.count == Self.count)
        #expect(expected.reduce(0) { $0 + $1.count } > 15 * Self.count)
        for (path, expected) in zip(paths, expected) {
            compare(try lines(path), expected, path.lastPathComponent)
        }
    }
}
