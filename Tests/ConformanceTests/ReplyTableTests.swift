import DialectFiles
import LineProtocol
import Results
import Testing

@testable import Conformance

/// Comparing replies with the command table.
struct ReplyTableTests {
    private func flaw(_ dialect: String, _ line: String, payload: String?) throws -> String? {
        var table = ReplyTable(try DialectLibrary.find(dialect).dialect)
        let entry = TranscriptEntry(
            time: 0, operatorName: "alice", kind: .received, bytes: Array(line.utf8),
            payload: payload.map { Array($0.utf8) })
        return table.flaw(of: entry)?.words
    }

    @Test func thePayloadIsAnArgument() throws {
        let error = "ERROR\nmessage:no\ncontent-length:2"
        #expect(try flaw("stomp", error, payload: "no") == nil)
        #expect(try flaw("stomp", error, payload: "") == nil)
        #expect(try flaw("stomp", error, payload: nil) == "1 argument missing")
    }

    @Test func missingArgumentsAreFound() throws {
        #expect(try flaw("stomp", "RECEIPT", payload: "") == "1 argument missing")
        #expect(try flaw("nats", "MSG a 1 2", payload: "hi") == nil)
    }
}
