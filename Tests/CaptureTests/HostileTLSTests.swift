import LineProtocol
import Testing

@testable import Capture

/// TLS that is damaged, or made to waste memory or time.
@Suite(.enabled(if: TLSCipher.isAvailable)) struct HostileTLSTests {
    /// Reads bytes of a session whose key log has secrets. Returns the problems.
    private func problems(
        _ recording: TLSRecording, _ pieces: [(bytes: [UInt8], isFromClient: Bool)]
    ) -> [TLSProblem] {
        let keys = TLSKeys()
        #expect(keys.add(file: Array(recording.log.utf8)) == nil)
        let session = TLSSession(keys)
        let output = TLSOutput()
        var problems: [TLSProblem] = []
        for piece in pieces {
            session.read(
                piece.bytes.span, piece.isFromClient ? .fromClient : .fromServer, into: output)
            for case .problem(let problem, _) in output.events { problems.append(problem) }
            output.removeAll()
            #expect(session.heldBytes < 200_000)
        }
        session.finish(into: output)
        for case .problem(let problem, _) in output.events { problems.append(problem) }
        #expect(session.heldBytes == 0)
        return problems
    }

    private func start(_ recording: TLSRecording) -> [(bytes: [UInt8], isFromClient: Bool)] {
        recording.pieces.map { ($0.bytes, $0.isFromClient) }
    }

    @Test(arguments: ["1.2-aes128", "1.3-aes128"])
    func recordsThatAreTooLongAreRefused(_ name: String) async throws {
        let recording = try await TLSRecording.named(name)
        let limit = TLSRecordReader.bodyBytesMax
        for (count, isRefused) in [(limit, false), (limit + 1, true), (65_535, true)] {
            let header: [UInt8] = [23, 3, 3] + big16(count)
            let found = problems(recording, start(recording) + [(header, false)])
            #expect(found == (isRefused ? [.malformed] : []))
        }
    }

    @Test(arguments: ["1.2-aes128", "1.3-aes128"])
    func bytesThatAreNotRecordsEndTheSession(_ name: String) async throws {
        let recording = try await TLSRecording.named(name)
        let text = Array("PRIVMSG #tea :not TLS\r\n".utf8)
        #expect(problems(recording, start(recording) + [(text, true)]) == [.malformed])
    }

    @Test func endlessHandshakeMessagesAreLimited() async throws {
        let recording = try await TLSRecording.named("1.3-aes128")
        // A message of 16 MiB in small records, from a server that has not said hello.
        let fragment: [UInt8] = [22, 3, 3, 0, 100, 2, 0xFF, 0xFF, 0xFF]
        let record = fragment + [UInt8](repeating: 2, count: 96)
        let hello = start(recording).prefix(1)
        let found = problems(
            recording, hello + Array(repeating: (record, false), count: 10_000))
        #expect(found == [.noHandshake])
    }

    @Test func clientsDoNotWaitForever() async throws {
        let recording = try await TLSRecording.named("1.2-aes128")
        let record: [UInt8] = [23, 3, 3, 0, 100] + [UInt8](repeating: 2, count: 100)
        let pieces = start(recording)
        let found = problems(
            recording, pieces.prefix(1) + Array(repeating: (record, true), count: 10_000))
        #expect(found == [.noHandshake])
    }

    @Test func emptyRecordsAreSkipped() async throws {
        let recording = try await TLSRecording.named("1.3-aes128")
        var pieces = start(recording)
        let empty: [UInt8] = [20, 3, 3, 0, 0]
        pieces.insert((Array(repeating: empty, count: 1_000).flatMap(\.self), false), at: 4)
        #expect(problems(recording, pieces) == [])
    }

    @Test func endlessUndecryptableRecordsEndTheSession() async throws {
        let recording = try await TLSRecording.named("1.3-aes128")
        let record: [UInt8] = [23, 3, 3, 0, 50] + [UInt8](repeating: 2, count: 50)
        let pieces = start(recording)
        let found = problems(
            recording, pieces.prefix(2) + Array(repeating: (record, true), count: 10_000))
        #expect(found == [.wrongSecret])
    }

    /// Many gaps, after each of which many record headers follow.
    @Test func theWorkAfterGapsIsLimited() async throws {
        let recording = try await TLSRecording.named("1.3-aes128")
        let keys = TLSKeys()
        #expect(keys.add(file: Array(recording.log.utf8)) == nil)
        let output = TLSOutput(trialBytesMax: 8 << 20)
        // Each header is followed by the next one, as if it were the record's content.
        let headers = [UInt8](
            Array(repeating: [23, 3, 3, 0x3F, 0xF8] as [UInt8], count: 20_000).flatMap(\.self))
        var ended = 0
        for _ in 0..<4 {
            let session = TLSSession(keys)
            for piece in recording.pieces {
                session.read(
                    piece.bytes.span, piece.isFromClient ? .fromClient : .fromServer, into: output)
            }
            output.removeAll()
            session.gap(900_000, .fromServer, into: output)
            session.read(headers.span, .fromServer, into: output)
            for case .problem(.gap, _) in output.events { ended += 1 }
            output.removeAll()
        }
        #expect(ended == 4)
        #expect(!output.canTry)
    }

    @Test(arguments: ["1.2-aes128", "1.3-aes128", "early-data"])
    func anyByteMayBeDamaged(_ name: String) async throws {
        let recording = try await TLSRecording.named(name)
        var seed: UInt64 = 7
        func random(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % count
        }
        let sent = Set(try recording.sent())
        for _ in 0..<300 {
            var damaged = recording
            for _ in 0...random(3) {
                let piece = random(damaged.pieces.count)
                let offset = random(damaged.pieces[piece].bytes.count)
                damaged.pieces[piece].bytes[offset] = UInt8(random(256))
            }
            let rows = try TLSRecording.rows(damaged.connection().capture, recording.log)
            // Bytes before the handshake are text if its first byte is damaged.
            let isTLS = damaged.pieces[0].bytes.prefix(6) == recording.pieces[0].bytes.prefix(6)
            if isTLS { #expect(rows.allSatisfy(sent.contains)) }
        }
    }
}
