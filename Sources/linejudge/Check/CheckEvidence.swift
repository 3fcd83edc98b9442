import Capture
import Conformance
import Report
import Results
import Session

/// What was said in the play that shows a failure: for people and programs, and for the tools for captures.
struct CheckEvidence {
    private let check: CheckResult
    private let results: CheckResults
    /// Where the server listened.
    private let port: Int

    init(_ check: CheckResult, of results: CheckResults) {
        self.check = check
        self.results = results
        port = results.endpoint.split(separator: ":").last.flatMap { Int($0) } ?? 1
    }

    /// Each line and event as a line of JSON, as transcripts stand in results files.
    func lines() throws -> [UInt8] { Array(try WireLog.text(check.transcript).utf8) }

    /// The same as a capture.
    var capture: [UInt8] {
        var writer = ConversationWriter(serverPort: port)
        var connections: [String: Int] = [:]
        for entry in check.transcript {
            let time = results.startedAt * 1_000_000_000 + entry.time
            if entry.kind == .connected || connections[entry.operatorName] == nil {
                connections[entry.operatorName] = writer.connect(at: time)
            }
            guard let place = connections[entry.operatorName] else { continue }
            let data = entry.bytes + entry.terminator + (entry.payload ?? [])
            switch entry.kind {
            case .connected: break
            case .sent: writer.send(data, by: .client, over: place, at: time)
            case .received: writer.send(data, by: .server, over: place, at: time)
            case .closed: writer.end(place, by: .client, at: time)
            case .closedByPeer: writer.end(place, by: .server, at: time)
            case .resetByPeer: writer.end(place, by: .server, isReset: true, at: time)
            }
        }
        return writer.bytes
    }
}
