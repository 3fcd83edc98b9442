import ReferenceServer
import Testing

@Suite struct HistoryTests {
    private func texts(_ notices: [ChatNotice]) -> [String] { notices.compactMap(\.text) }

    @Test func historyIsShownNewestFirst() throws {
        let bench = ServiceBench { $0.wallClockOffset = 1_000 }
        let ids = try bench.inChat("Maria", "Joe")
        for (time, text) in ["a", "b", "c"].enumerated() {
            bench.now = Int64(time)
            bench.send(.say(text), from: ids[0])
        }
        let answer = bench.ask(.history(chat: 1, count: 512), from: ids[1])
        #expect(texts(answer) == ["c", "b", "a"])
        #expect(answer.last == .historyEnd(chat: 1, count: 3))
        let oldest = ChatRecord(
            identifier: 1, time: 1_000, text: "a".bytes, sender: ChatUser("Maria".bytes),
            isHidden: false)
        #expect(answer[2] == .record(oldest, chat: 1))
    }

    @Test(arguments: [(511, 511, 0), (512, 512, 0), (513, 512, 1), (1_300, 512, 788)])
    func historyHolds512RecordsAndDropsTheOldest(
        messageCount: Int, kept: Int, oldest: Int
    ) throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria")
        for number in 0..<messageCount { bench.send(.say("\(number)"), from: ids[0]) }
        let answer = texts(bench.ask(.history(chat: 1, count: 10_000), from: ids[0]))
        #expect(answer.count == kept)
        #expect(answer.first == "\(messageCount - 1)")
        #expect(answer.last == "\(oldest)")
    }

    @Test func historyRespectsTheRequestedCount() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria")
        for text in ["a", "b", "c"] { bench.send(.say(text), from: ids[0]) }
        #expect(texts(bench.ask(.history(chat: 1, count: 2), from: ids[0])) == ["c", "b"])
        #expect(
            bench.ask(.history(chat: 1, count: 0), from: ids[0])
                == [.historyEnd(chat: 1, count: 0)])
        #expect(bench.refusal(of: .history(chat: 1, count: -1), from: ids[0]) == .notUnderstood)
    }

    @Test func onlyMembersSeeHistory() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria")
        bench.send(.say("a"), from: ids[0])
        let joe = try bench.logIn("Joe")
        #expect(bench.refusal(of: .history(chat: 1, count: 1), from: joe) == .notInRoom)
        #expect(bench.refusal(of: .history(chat: 2, count: 1), from: joe) == .noSuchRoom)
        bench.send(.join(chat: 1), from: joe)
        #expect(texts(bench.ask(.history(chat: 1, count: 1), from: joe)) == ["a"])
    }

    @Test func visitorsDoNotSeeHiddenMessages() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria")
        let guest = try bench.logIn("Guest", visitor: true)
        bench.send(.join(chat: 1), from: guest)
        for text in ["a", "b", "c"] {
            bench.send(text == "b" ? .sayHidden(text) : .say(text), from: ids[0])
        }
        #expect(texts(bench.ask(.history(chat: 1, count: 2), from: guest)) == ["c", "a"])
        #expect(texts(bench.ask(.history(chat: 1, count: 2), from: ids[0])) == ["c", "b"])
    }

    @Test func historyWithCapacityZeroKeepsNothing() {
        var history = ChatHistory(recordsMax: 0)
        history.append(
            ChatRecord(identifier: 1, time: 0, text: [], sender: ChatUser([]), isHidden: false))
        #expect(history.count == 0)
        #expect(history.newestFirst(5, withHidden: true).isEmpty)
    }
}
