import LineProtocol
import Session
import Testing

@testable import Conformance

/// H: what was said in two rooms, held against what each heard.
struct HistoryTests {
    /// alice says a1, a2 and bob b1 in room 7, dave d1 in room 8 where erin is.
    private func judgement(_ heard: [(String, String)]) throws -> Judgement {
        let subject = try EvidenceTable.subject("livechat")
        var script = CaseScript("", subject)
        let handles = ["alice", "bob", "carol", "dave", "erin"]
        for handle in handles { script.logIn(Actor(handle: handle, name: handle + "7")) }
        script.enter(room: 7, [])
        script.step(.stimulus, "alice -> history(chat: 7)", by: "alice")
        script.step(.question, "sync")
        var history = History(room: 7, speakers: ["alice", "bob", "carol"])
        history.otherRoom = 8
        history.outsiders = ["dave", "erin"]
        history.said = ["alice": bytes(["a1", "a2"]), "bob": bytes(["b1"])]
        history.there = bytes(["d1"])
        let final = history
        let speakers: [Character: String] = ["a": "alice7", "b": "bob7", "d": "dave7"]
        let rows = heard.map { handle, text in
            let speaker = text.first.flatMap { speakers[$0] } ?? "alice7"
            let room = text.hasPrefix("d") ? 8 : 7
            return EvidenceTable.Row.received(handle, "R0004|1|\(text)|\(speaker)|\(room)|0")
        }
        return try EvidenceTable.judgement(script.made { final.judge(&$0) }, subject, rows)
    }

    private func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static let whole = [
        ("bob", "a1"), ("bob", "a2"), ("carol", "a1"), ("carol", "b1"), ("carol", "a2"),
        ("alice", "b1"), ("erin", "d1"),
    ]

    @Test func aWholeHistoryHolds() throws {
        #expect(try judgement(Self.whole) == .passed)
    }

    @Test(arguments: [
        ("bob a2", "", "lost"), ("", "bob a1", "duplicated"), ("", "bob zz", "phantom"),
        ("", "erin a1", "leaked"), ("", "carol d1", "leaked"),
    ])
    func whatIsMissingOrTooMuchIsNamed(without: String, with: String, kind: String) throws {
        var heard = Self.whole.filter { "\($0.0) \($0.1)" != without }
        let words = with.split(separator: " ").map(String.init)
        if words.count == 2 { heard.append((words[0], words[1])) }
        #expect(try judgement(heard).kind == kind)
    }

    @Test func theOrderOfASpeakerIsKept() throws {
        var heard = Self.whole
        heard.swapAt(0, 1)
        #expect(try judgement(heard).kind == "reordered")
    }
}
