import Scenario
import Testing

@testable import Transcript

struct SentenceCountersTests {
    private func text(_ value: String, sent: [String] = []) -> String? {
        let bytes = Array(value.utf8)
        let pieces = SentenceCounters.replaced(
            in: bytes, [.bytes(bytes)], except: Set(sent.map { Array($0.utf8) }))
        return pieces.map { pieces in
            pieces.map { piece in
                switch piece {
                case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
                case .placeholder(let text): text
                }
            }.joined()
        }
    }

    @Test(arguments: [
        ("There are 2 users and 0 invisible", "There are {{_:int}} users and {{_:int}} invisible"),
        ("Current local users: 2, Max: 5", "Current local users: {{_:int}}, Max: {{_:int}}"),
        ("I have 1 clients.", "I have {{_:int}} clients."),
        ("5 messages wait", "{{_:int}} messages wait"),
    ])
    func numbersInSentencesAreReplaced(_ value: String, _ expected: String) {
        #expect(text(value) == expected)
    }

    @Test(arguments: [
        "5", "5 users", "1 2 3", "running version 26.1", "at 12:30 o'clock", "in room4 and b2b",
        "take 12345678901234567890 of them",
    ])
    func otherNumbersAreKept(_ value: String) { #expect(text(value) == nil) }

    @Test func numbersThatAClientSentAreKept() {
        #expect(text("no such item 42 here", sent: ["42"]) == nil)
    }

    @Test func textAroundPlaceholdersIsKept() {
        let pieces = SentenceCounters.replaced(
            in: Array("up 9 days, load 0.5 of 4".utf8),
            [
                .bytes(Array("up ".utf8)), .placeholder("{{_:int}}"),
                .bytes(Array(" days, load 0.".utf8)), .placeholder("{{_:int}}"),
                .bytes(Array(" of 4".utf8)),
            ], except: [])
        #expect(
            pieces == [
                .bytes(Array("up ".utf8)), .placeholder("{{_:int}}"),
                .bytes(Array(" days, load 0.".utf8)), .placeholder("{{_:int}}"),
                .bytes(Array(" of ".utf8)), .placeholder("{{_:int}}"),
            ])
    }
}
