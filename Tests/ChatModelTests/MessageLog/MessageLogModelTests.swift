import ChatModel
import LineProtocol
import Testing

/// A naive model of the log: an array sorted after each insertion.
private struct PlainLog {
    var messagesMax: Int
    var notes: [(note: Note, arrival: Int)] = []
    var arrivals = 0
    var gone: [Note] = []

    mutating func insert(_ note: Note) {
        guard !notes.contains(where: { $0.note.id == note.id }) else { return }
        if let last = gone.map(\.time).max() {
            let fellLast = gone.filter { $0.time == last }.suffix(messagesMax)
            if note.time < last || fellLast.contains(where: { $0.id == note.id }) { return }
        }
        if notes.count == messagesMax, let first = notes.first, note.time < first.note.time {
            return
        }
        arrivals += 1
        notes.append((note, arrivals))
        notes.sort { ($0.note.time, $0.arrival) < ($1.note.time, $1.arrival) }
        if notes.count > messagesMax { gone.append(notes.removeFirst().note) }
    }

    mutating func remove(id: Int) {
        notes.removeAll { $0.note.id == id }
    }

    mutating func replace(_ note: Note) {
        guard let index = notes.firstIndex(where: { $0.note.id == note.id }) else { return }
        notes[index].note = note
        notes.sort { ($0.note.time, $0.arrival) < ($1.note.time, $1.arrival) }
    }
}

/// Compares the log with its model over random histories.
@Suite struct MessageLogModelTests {
    private func expectSame(_ log: MessageLog<Note>, _ plain: PlainLog) {
        let notes = plain.notes.map(\.note)
        #expect(log.messages.elementsEqual(notes))
        #expect(log.newestFirst.elementsEqual(notes.reversed()))
        #expect(notes.indices.map { log[$0] } == notes)
        #expect(notes.map { log.index(of: $0.id) } == Array(notes.indices))
    }

    @Test(arguments: [
        (1, 20, 40), (7, 10, 300), (100, 30, 2_000), (300, 2, 2_000), (400, 5_000, 3_000),
    ])
    func randomHistoriesMatchTheModel(_ messagesMax: Int, _ times: Int64, _ steps: Int) {
        var random = SeededRandom(seed: UInt64(messagesMax))
        var log = MessageLog<Note>(messagesMax: messagesMax)
        var plain = PlainLog(messagesMax: messagesMax)
        for step in 0..<steps {
            // Time advances slowly, so that messages are late, early, simultaneous and repeated.
            let time = Int64(step) / 20 + Int64.random(in: 0..<times, using: &random)
            let id = Int.random(in: max(0, step - 2 * messagesMax)...step + 1, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                log.remove(id: id)
                plain.remove(id: id)
            case 1:
                let note = Note(id, at: max(time, plain.gone.map(\.time).max() ?? 0), state: step)
                log.replace(note)
                plain.replace(note)
            default:
                log.insert(Note(id, at: time))
                plain.insert(Note(id, at: time))
            }
            if step % 50 == 0 { expectSame(log, plain) }
        }
        expectSame(log, plain)
    }

    @Test(arguments: [1, 5, 200])
    func changesTransformTheOldMessagesIntoTheNew(_ messagesMax: Int) {
        var random = SeededRandom(seed: 3)
        var log = MessageLog<Note>(messagesMax: messagesMax)
        for step in 0..<100 {
            let before = Array(log.messages)
            let batch = (0..<Int.random(in: 0..<50, using: &random)).map { _ in
                Note(
                    Int.random(in: 0..<2_000, using: &random),
                    at: Int64(step) + Int64.random(in: 0..<50, using: &random))
            }
            let result = log.insert(contentsOf: batch)
            #expect(before.applying(result.changes.difference) == Array(log.messages))
            #expect(
                result.changes.insertions.count + result.duplicateCount + result.tooOldCount
                    <= batch.count)
        }
    }

    @Test func aBatchOmitsMessagesInsertedAndDroppedWithinIt() {
        var log = MessageLog<Note>(messagesMax: 2)
        log.insert(Note(1, at: 1))
        let batch = log.insert(
            contentsOf: [
                Note(2, at: 2), Note(3, at: 3), Note(3, at: 3), Note(4, at: 4), Note(0, at: 0),
            ])
        #expect(batch.changes.removals.map(\.message.id) == [1])
        #expect(batch.changes.insertions.map(\.message.id) == [3, 4])
        #expect(batch.changes.insertions.map(\.index) == [0, 1])
        #expect(batch.duplicateCount == 1 && batch.tooOldCount == 1)
    }
}
