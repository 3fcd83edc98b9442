import Foundation
import Testing

@testable import Capture

/// A TLS session of OpenSSL, recorded by `Tools/tls_sessions.py`.
struct TLSRecording: Decodable {
    /// Bytes that one side sent at once.
    struct Piece: Decodable {
        var isFromClient: Bool
        var bytes: [UInt8]

        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            isFromClient = try parts.decode(String.self) == "client"
            let digits = Array(try parts.decode(String.self).utf8)
            bytes = stride(from: 0, to: digits.count, by: 2).map {
                UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16) ?? 0
            }
        }
    }

    /// Text that one side sent at once, encrypted or not.
    struct Text: Decodable {
        var isFromClient: Bool
        var text: String

        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            isFromClient = try parts.decode(String.self) == "client"
            text = try parts.decode(String.self)
        }
    }

    var pieces: [Piece]
    var lines: [Text]
    /// The key log.
    var log: String

    /// Returns the lines that were sent, except for texts with some indices, in the form of
    /// ``rows(_:_:_:)``.
    func sent(_ dialect: String = "irc", without indices: Set<Int> = []) throws -> [String] {
        var connection = ScriptedConnection()
        connection.open()
        for (index, text) in lines.enumerated() where !indices.contains(index) {
            connection.send(text.text, fromClient: text.isFromClient)
        }
        return try Self.rows(connection.capture, nil, dialect)
    }

    /// Index in ``lines`` of the text in a piece of a session without other data after the
    /// handshake; nil if the piece is part of the handshake.
    func line(inPiece index: Int) -> Int? {
        let line = index - (pieces.count - lines.count)
        return line >= 0 ? line : nil
    }

    private static let cache = Cache()

    private actor Cache {
        private var sessions: [String: Task<TLSRecording, any Error>] = [:]

        func session(_ name: String) -> Task<TLSRecording, any Error> {
            if let session = sessions[name] { return session }
            let task = Task { try TLSRecording.run(name) }
            sessions[name] = task
            return task
        }
    }

    /// Returns the session with this name. Each session runs once.
    static func named(_ name: String) async throws -> TLSRecording {
        try await cache.session(name).value
    }

    private static func run(_ name: String) throws -> TLSRecording {
        let tools = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Tools")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", tools.appending(path: "tls_sessions.py").path, name]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "the session \(name) failed")
        return try #require(try JSONDecoder().decode([TLSRecording].self, from: data).first)
    }

    /// A segment of the session's connection.
    struct Segment {
        /// Index of the piece that it belongs to.
        var piece: Int
        var isFromClient: Bool
        var bytes: ArraySlice<UInt8>
    }

    /// Divides the pieces into segments of at most `size` bytes.
    func segments(of size: Int) -> [Segment] {
        pieces.enumerated().flatMap { index, piece in
            stride(from: 0, to: piece.bytes.count, by: size).map { start in
                let end = min(start + size, piece.bytes.count)
                return Segment(
                    piece: index, isFromClient: piece.isFromClient,
                    bytes: piece.bytes[start..<end])
            }
        }
    }

    /// Returns the connection with these segments.
    ///
    /// - Parameter isCaptured: Whether the segment with this index is in the capture.
    func connection(
        _ segments: [Segment], isCaptured: (Int) -> Bool = { _ in true }
    ) -> ScriptedConnection {
        var connection = ScriptedConnection(server: "10.0.0.2:6697")
        connection.open()
        for (index, segment) in segments.enumerated() {
            connection.send(
                Array(segment.bytes), fromClient: segment.isFromClient,
                isCaptured: isCaptured(index))
        }
        connection.acknowledge(fromClient: true)
        connection.acknowledge(fromClient: false)
        connection.close()
        return connection
    }

    /// Returns the connection with segments of at most `size` bytes.
    func connection(size: Int = 1_460) -> ScriptedConnection { connection(segments(of: size)) }

    /// Decodes a capture, and returns the lines with their directions.
    static func rows(
        _ capture: [UInt8], _ keyLog: String?, _ dialect: String = "irc"
    ) throws -> [String] {
        let decoding = try Decoding.lines(capture, dialect, showsSecrets: true, keyLog: keyLog)
        return decoding.text.split(separator: "\n").map { row in
            row.split(separator: "\t").dropFirst(2).joined(separator: " ")
        }
    }

    /// Decodes the whole session in segments of at most `size` bytes.
    func rows(size: Int = 1_460, _ dialect: String = "irc") throws -> [String] {
        try Self.rows(connection(size: size).capture, log, dialect)
    }

    /// The key log without the lines of some secrets.
    func log(without labels: String...) -> String {
        log.split(separator: "\n").filter { line in !labels.contains { line.hasPrefix($0 + " ") } }
            .joined(separator: "\n")
    }

    /// The key log with another first byte of the secrets with these labels.
    func log(damaging labels: String...) -> String {
        log.split(separator: "\n").map { line -> String in
            guard labels.contains(where: { line.hasPrefix($0 + " ") }) else { return String(line) }
            var fields = line.split(separator: " ").map { Array($0.utf8) }
            fields[2][0] = fields[2][0] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            return fields.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        }.joined(separator: "\n")
    }
}
