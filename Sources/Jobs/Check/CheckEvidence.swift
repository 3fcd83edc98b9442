import Capture
import LineProtocol
import Report
import Results

/// A failed check's transcript, as JSON Lines and as a capture file.
struct CheckEvidence {
    private let check: CheckResult
    private let results: CheckResults
    /// The server's port, for the capture.
    private let port: Int

    init(_ check: CheckResult, of results: CheckResults) {
        self.check = check
        self.results = results
        port = results.endpoint.split(separator: ":").last.flatMap { Int($0) } ?? 1
    }

    /// Returns the transcript as JSON Lines, one event per line, as in results files.
    func lines() throws -> [UInt8] { Array(try WireLog.text(check.transcript).utf8) }

    /// The transcript as a capture file (pcapng).
    var capture: [UInt8] {
        var writer = ConversationWriter(serverPort: port)
        var connections: [String: Int] = [:]
        for entry in check.transcript {
            let time = results.startedAt * 1_000_000_000 + entry.time
            if entry.kind == .connected || connections[entry.operatorName] == nil {
                connections[entry.operatorName] = writer.connect(at: time)
            }
            guard let connection = connections[entry.operatorName] else { continue }
            let data = entry.bytes + entry.terminator + (entry.payload ?? [])
            switch entry.kind {
            case .connected: break
            case .sent: writer.send(data, from: .fromClient, over: connection, at: time)
            case .received: writer.send(data, from: .fromServer, over: connection, at: time)
            case .closed: writer.end(connection, from: .fromClient, at: time)
            case .closedByPeer: writer.end(connection, from: .fromServer, at: time)
            case .resetByPeer: writer.end(connection, from: .fromServer, isReset: true, at: time)
            }
        }
        return writer.bytes
    }
}
