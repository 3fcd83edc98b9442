import ChatModel
import Testing

@Suite struct MessageLogTests {
    @Test func messagesAreSortedByTimeThenByArrival() {
        var log = MessageLog<Note>(messagesMax: 10)
        for (id, time) in [(1, 30), (2, 10), (3, 20), (4, 20), (5, 10), (6, 40)] {
            log.insert(Note(id, at: Int64(time)))
        }
        #expect(log.ids == [2, 5, 3, 4, 1, 6])
    }

    @Test func duplicateIDsAreRejectedAtAnyTime() {
        var log = MessageLog<Note>(messagesMax: 10)
        #expect(log.insert(Note(1, at: 10)) == .inserted(at: 0, dropped: nil))
        #expect(log.insert(Note(1, at: 10)) == .duplicate)
        #expect(log.insert(Note(1, at: 20)) == .duplicate)
        #expect(log.messages.elementsEqual([Note(1, at: 10)]))
    }

    @Test(arguments: [1, 100, 512])
    func aBoundedLogDropsTheOldestFirst(_ messagesMax: Int) {
        var log = MessageLog<Note>(messagesMax: messagesMax)
        for id in 0..<messagesMax {
            #expect(log.insert(Note(id, at: Int64(id))) == .inserted(at: id, dropped: nil))
        }
        #expect(log.count == messagesMax)
        let next = log.insert(Note(messagesMax, at: Int64(messagesMax)))
        #expect(next == .inserted(at: messagesMax - 1, dropped: Note(0, at: 0)))
        #expect(log.ids == Array(1...messagesMax))
    }

    @Test func aLogWithCapacityZeroKeepsNothing() {
        var log = MessageLog<Note>(messagesMax: 0)
        #expect(log.insert(Note(1, at: 1)) == .tooOld)
        #expect(log.isEmpty && log.first == nil && log.last == nil)
    }

    @Test func messagesAreFoundByIndexIDFirstAndLast() {
        var log = MessageLog<Note>(messagesMax: 1_000)
        for id in 0..<1_000 { log.insert(Note(id, at: Int64(1_000 - id))) }
        #expect(log.first == Note(999, at: 1))
        #expect(log.last == Note(0, at: 1_000))
        for id in 0..<1_000 {
            #expect(log[id: id] == Note(id, at: Int64(1_000 - id)))
            #expect(log.index(of: id) == 999 - id)
            #expect(log[id].id == 999 - id)
        }
        #expect(log[id: 1_000] == nil && log.index(of: 1_000) == nil)
    }

    @Test func theNewestMessagesComeFirst() {
        var log = MessageLog<Note>(messagesMax: 512)
        for id in 0..<600 { log.insert(Note(id, at: Int64(id))) }
        #expect(log.newestFirst.map(\.id) == (88..<600).reversed())
        #expect(log.newestFirst.prefix(3).map(\.id) == [599, 598, 597])
    }

    @Test func findsMessagesSinceATime() {
        var log = MessageLog<Note>(messagesMax: 1_000)
        for id in 0..<1_000 { log.insert(Note(id, at: Int64(id / 10))) }
        #expect(log.messages.index(notBefore: 50) == 500)
        #expect(log.messages.index(notBefore: .min) == 0)
        #expect(log.messages.index(notBefore: 100) == 1_000)
        #expect(MessageLog<Note>(messagesMax: 1).messages.index(notBefore: 1) == 0)
    }

    @Test func messagesOlderThanAFullLogAreTooOld() {
        var log = MessageLog<Note>(messagesMax: 2)
        log.insert(Note(1, at: 10))
        log.insert(Note(2, at: 20))
        #expect(log.insert(Note(3, at: 5)) == .tooOld)
        #expect(log.insert(Note(4, at: 15)) == .inserted(at: 0, dropped: Note(1, at: 10)))
        #expect(log.ids == [4, 2])
    }

    @Test func droppedMessagesDoNotReturn() {
        var log = MessageLog<Note>(messagesMax: 2)
        for id in 1...5 { log.insert(Note(id, at: 7)) }
        #expect(log.ids == [4, 5])
        #expect(log.insert(Note(2, at: 7)) == .duplicate)
        log.remove(id: 4)
        #expect(log.insert(Note(2, at: 7)) == .duplicate)
        #expect(log.insert(Note(3, at: 7)) == .duplicate)
        #expect(log.insert(Note(9, at: 6)) == .tooOld)
        #expect(log.ids == [5])
        // The last two dropped ids of the same time are remembered.
        #expect(log.insert(Note(1, at: 7)).isInserted)
    }

    @Test func aStoppedClockRejectsNothing() {
        var log = MessageLog<Note>(messagesMax: 3)
        for id in 0..<100 { #expect(log.insert(Note(id, at: 7)).isInserted) }
        #expect(log.ids == [97, 98, 99])
    }

    @Test func removedMessagesMayReturn() {
        var log = MessageLog<Note>(messagesMax: 3)
        for id in 1...3 { log.insert(Note(id, at: Int64(id))) }
        #expect(log.remove(id: 2) == Note(2, at: 2))
        #expect(log.remove(id: 2) == nil)
        #expect(log.insert(Note(2, at: 4)) == .inserted(at: 2, dropped: nil))
        log.removeAll()
        #expect(log.isEmpty)
        #expect(log.insert(Note(2, at: 1)).isInserted)
    }

    @Test func replacingKeepsThePositionUnlessTheTimeChanges() {
        var log = MessageLog<Note>(messagesMax: 5)
        for id in 1...3 { log.insert(Note(id, at: 5)) }
        #expect(log.replace(Note(2, at: 5, state: 1)) == Note(2, at: 5))
        #expect(log.ids == [1, 2, 3] && log[1].state == 1)
        log.replace(Note(1, at: 9))
        #expect(log.ids == [2, 3, 1])
        log.replace(Note(1, at: 5))
        #expect(log.ids == [1, 2, 3])
        #expect(log.replace(Note(4, at: 1)) == nil)
    }

    @Test func aSnapshotDoesNotChange() {
        var log = MessageLog<Note>(messagesMax: 300)
        for id in 0..<300 { log.insert(Note(id, at: Int64(2 * id))) }
        let copy = log.messages
        for id in 300..<500 { log.insert(Note(id, at: Int64(id))) }
        log.replace(Note(299, at: 598, state: 1))
        #expect(copy.elementsEqual((0..<300).map { Note($0, at: Int64(2 * $0)) }))
    }
}
