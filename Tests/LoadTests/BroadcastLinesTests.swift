import Testing

@testable import LineProtocol
@testable import Load

/// Lines as members of room 3 receive them.
private struct Receiver: ~Copyable {
    var lines = BroadcastLines()

    static func text(_ message: Int) -> MessageText {
        MessageText(
            kind: .say, run: 7, room: 3, sender: 40, sequence: UInt32(message),
            message: UInt64(message))
    }

    static func bytes(_ message: Int) -> [UInt8] { Array("MSG \(message) some text\r\n".utf8) }

    /// Notes that a member received a message after another line.
    mutating func note(_ message: Int, from sender: Int = 0, after last: UInt32 = 0) -> UInt32 {
        note(Self.bytes(message), Self.text(message), from: sender, after: last)
    }

    mutating func note(
        _ bytes: [UInt8], _ text: MessageText, from sender: Int = 0, after last: UInt32 = 0
    ) -> UInt32 {
        let line = PlainLine(start: 0, end: bytes.count, isPair: true)
        return lines.note(bytes.span, line, text, from: sender, after: last)
    }

    /// Notes several messages in a row; returns the lines' numbers.
    mutating func note(inOrder messages: [Int]) -> [UInt32] {
        var numbers: [UInt32] = []
        for message in messages {
            numbers.append(note(message, after: numbers.last ?? 0))
        }
        return numbers
    }

    /// The number of the known line at the start of the bytes; nil if it is not known.
    mutating func match(
        _ bytes: [UInt8], after last: UInt32, member: Int = 1, room: UInt32 = 3
    ) -> UInt32? {
        // Other lines come before and after it.
        let buffer = [0x0A] + bytes + Array("MSG".utf8)
        let line = lines.match(
            after: last, receivedBy: member, in: room, buffer.span, at: 1)
        guard let line else { return nil }
        #expect(Int(line.count) <= bytes.count + 3)
        #expect(line.contentCount == line.count - 2)
        return line.number
    }
}

@Test func theLineThatFollowedOnAnotherConnectionIsKnown() {
    var receiver = Receiver()
    let numbers = receiver.note(inOrder: [1, 2, 3])
    #expect(receiver.match(Receiver.bytes(2), after: numbers[0]) == numbers[1])
    #expect(receiver.match(Receiver.bytes(3), after: numbers[1]) == numbers[2])
    // Lines in another order are not searched for.
    #expect(receiver.match(Receiver.bytes(3), after: numbers[0]) == nil)
    #expect(receiver.match(Receiver.bytes(1), after: 0) == nil)
    // The first line of another connection is found by its message.
    #expect(receiver.note(1) == numbers[0])
}

@Test func aLineThatDiffersInAnyByteIsNotKnown() {
    var receiver = Receiver()
    let numbers = receiver.note(inOrder: [1, 2])
    let bytes = Receiver.bytes(2)
    for offset in bytes.indices {
        var changed = bytes
        changed[offset] ^= 1
        #expect(receiver.match(changed, after: numbers[0]) == nil)
        #expect(receiver.match(Array(bytes[..<offset]), after: numbers[0]) == nil)
    }
    #expect(receiver.match(bytes, after: numbers[0], room: 4) == nil)
}

@Test func aSenderDoesNotReceiveItsOwnMessage() {
    var receiver = Receiver()
    let first = receiver.note(1)
    let own = receiver.note(2, from: 5, after: first)
    let last = receiver.note(3, after: own)
    #expect(receiver.match(Receiver.bytes(3), after: first, member: 5) == last)
    #expect(receiver.match(Receiver.bytes(3), after: first, member: 6) == nil)
}

@Test func onlyTheLatestLinesAreKept() {
    var receiver = Receiver()
    let count = BroadcastLines.linesMax + 1
    let numbers = receiver.note(inOrder: Array(1...count))
    #expect(receiver.match(Receiver.bytes(2), after: numbers[0]) == nil)
    #expect(receiver.match(Receiver.bytes(3), after: numbers[1]) == numbers[2])
    #expect(receiver.match(Receiver.bytes(count), after: numbers[count - 2]) == numbers[count - 1])
    // The first one was replaced, so it counts as new.
    #expect(receiver.note(1) == numbers[count - 1] + 1)
}

@Test func longLinesAreNotKept() {
    var receiver = Receiver()
    for (count, isKept) in [(BroadcastLines.bytesMax, true), (BroadcastLines.bytesMax + 1, false)] {
        let bytes = [UInt8](repeating: 0x78, count: count - 2) + [0x0D, 0x0A]
        #expect((receiver.note(bytes, Receiver.text(count)) > 0) == isKept)
    }
    // Room for each line is derived from the first one.
    var other = Receiver()
    #expect(other.note(1) > 0)
    let bytes = [UInt8](repeating: 0x78, count: 200) + [0x0D, 0x0A]
    #expect(other.note(bytes, Receiver.text(2)) == 0)
}

@Test func linesThatAlwaysDifferAreNoLongerCompared() {
    var receiver = Receiver()
    let numbers = receiver.note(inOrder: [1, 2])
    for _ in 2..<BroadcastLines.missesMax - 1 { _ = receiver.note(1) }
    #expect(receiver.match(Receiver.bytes(2), after: numbers[0]) == numbers[1])
    for _ in 0..<BroadcastLines.missesMax { _ = receiver.note(1) }
    #expect(receiver.match(Receiver.bytes(2), after: numbers[0]) == nil)
    #expect(receiver.note(3) == 0)
}
