import LineProtocol
import Scenario
import Session
import Testing

@testable import Conformance

/// The history check, which compares the texts sent to two rooms with those that each member
/// received.
struct HistoryTests {
    private static let request = Step.send(
        "alice",
        .typed(
            TypedCall(
                name: Name("history", range: .none), arguments: [Argument("chat", .int(7))],
                range: .none)))

    /// alice sends a1 and a2, bob sends b1 in room 7; dave sends d1 in room 8, where erin is.
    private func judgement(_ received: [(String, String)]) throws -> Judgement {
        let subject = try EvidenceTable.subject("livechat")
        var script = CaseScript("", subject)
        let handles = ["alice", "bob", "carol", "dave", "erin"]
        for handle in handles { script.logIn(CaseActor(handle: handle, name: handle + "7")) }
        script.enter(room: 7, [])
        script.step(.stimulus, Self.request)
        script.step(.question, .sync())
        var history = History(room: 7, speakers: ["alice", "bob", "carol"])
        history.otherRoom = 8
        history.outsiders = ["dave", "erin"]
        history.said = ["alice": bytes(["a1", "a2"]), "bob": bytes(["b1"])]
        history.there = bytes(["d1"])
        let final = history
        let speakers: [Character: String] = ["a": "alice7", "b": "bob7", "d": "dave7"]
        let rows = received.map { handle, text in
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
        var received = Self.whole.filter { "\($0.0) \($0.1)" != without }
        let words = with.split(separator: " ").map(String.init)
        if words.count == 2 { received.append((words[0], words[1])) }
        #expect(try judgement(received).kind == kind)
    }

    @Test func theOrderOfASpeakerIsKept() throws {
        var received = Self.whole
        received.swapAt(0, 1)
        #expect(try judgement(received).kind == "reordered")
    }

    // MARK: Coming and going

    /// alice sends a0, a1, a2; carol enters before a1, bob leaves before a2. dave sends d0 and is
    /// disconnected.
    private func coming(_ received: [(String, String)]) throws -> Judgement {
        let subject = try EvidenceTable.subject("livechat")
        var script = CaseScript("", subject)
        let handles = ["alice", "bob", "carol", "dave"]
        for handle in handles { script.logIn(CaseActor(handle: handle, name: handle + "7")) }
        script.enter(room: 7, [])
        script.step(.stimulus, Self.request)
        script.step(.question, .sync())
        var history = History(room: 7, speakers: handles)
        history.said = ["alice": bytes(["a0", "a1", "a2"]), "dave": bytes(["d0"])]
        for (text, moment) in [("a0", 0), ("a1", 1), ("a2", 2), ("d0", 1)] {
            history.moments[Array(text.utf8)] = moment
        }
        history.stays = ["carol": 1..<Int.max, "bob": 0..<2, "dave": 0..<1]
        history.indefinite = [Array("d0".utf8)]
        let final = history
        let rows = received.map { handle, text in
            let speaker = text.hasPrefix("d") ? "dave7" : "alice7"
            return EvidenceTable.Row.received(handle, "R0004|1|\(text)|\(speaker)|7|0")
        }
        return try EvidenceTable.judgement(script.made { final.judge(&$0) }, subject, rows)
    }

    private static let due = [
        ("bob", "a0"), ("dave", "a0"), ("bob", "a1"), ("carol", "a1"), ("carol", "a2"),
    ]

    @Test(arguments: [
        [], [("bob", "d0")], [("bob", "d0"), ("carol", "d0"), ("alice", "d0")],
    ])
    func whatWasSaidMeanwhileIsHeardAndWhatWasCutMayBe(besides: [(String, String)]) throws {
        #expect(try coming(Self.due + besides) == .passed)
    }

    @Test func newMembersMayReceiveEarlierMessages() throws {
        #expect(try coming([("carol", "a0")] + Self.due) == .passed)
        #expect(try coming(Self.due + [("carol", "a0")]).kind == "reordered")
    }

    @Test(arguments: [
        ("carol a1", "", "lost"), ("bob a1", "", "lost"), ("", "bob a2", "leaked"),
        ("", "carol d0 d0", "duplicated"), ("", "carol a1", "duplicated"),
    ])
    func missingAndExtraTextsWhilePresentAreNamed(
        without: String, with: String, kind: String
    ) throws {
        var received = Self.due.filter { "\($0.0) \($0.1)" != without }
        let words = with.split(separator: " ").map(String.init)
        for text in words.dropFirst() { received.append((words[0], text)) }
        #expect(try coming(received).kind == kind)
    }
}
