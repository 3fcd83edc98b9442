import LineProtocol
import Results
import Testing

@testable import Load

private let text = MessageText(
    kind: .say, run: 0xF_EDCB, room: 1_234, sender: 56_789, sequence: 1_000_000, message: 1 << 34)

private func written(_ text: MessageText, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    text.write(to: &bytes, at: 0, count: count)
    return bytes
}

@Test(arguments: [MessageText.bytesMin, 36, 48, 500])
func aTextIsReadAsItWasWritten(count: Int) throws {
    let bytes = written(text, count: count)
    #expect(try MessageText(reading: bytes.span, run: text.run) == text)
    #expect(bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
}

@Test(arguments: [MessageText.bytesMin, 38, 40, 46, 48, 100])
func aTextWithAnyByteChangedIsNotTakenForWhatItWas(count: Int) {
    let bytes = written(text, count: count)
    for index in bytes.indices {
        for change: UInt8 in [1, 2, 0x20, 0x80] {
            var changed = bytes
            changed[index] ^= change
            #expect(throws: MessageText.Flaw.self) {
                try MessageText(reading: changed.span, run: text.run)
            }
        }
    }
}

@Test func aTextThatIsCutOrLongerIsNotTakenForWhatItWas() {
    let bytes = written(text, count: 40)
    for count in 0..<40 {
        let cut = Array(bytes.prefix(count))
        #expect(throws: MessageText.Flaw.self) {
            try MessageText(reading: cut.span, run: text.run)
        }
    }
    let longer = bytes + [0x61]
    #expect(throws: MessageText.Flaw.corrupted) {
        try MessageText(reading: longer.span, run: text.run)
    }
}

@Test func textsOfOthersAreDistinguishedFromChangedOnes() {
    let bytes = written(text, count: 40)
    #expect(throws: MessageText.Flaw.otherRun) {
        try MessageText(reading: bytes.span, run: text.run ^ 1)
    }
    let strange = Array("Welcome to the room".utf8)
    #expect(throws: MessageText.Flaw.notOurs) {
        try MessageText(reading: strange.span, run: text.run)
    }
}

@Test func eightDigitsAreReadAndWrittenAtOnceAsOneByOne() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<1_000 {
        let number = random.next() & Base32.most(digits: 8)
        var bytes = [UInt8](repeating: 0, count: 8)
        var span = bytes.mutableSpan
        Base32.write(number, 8, to: &span, at: 0)
        let digits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        #expect(Base32.digits(of: number) == digits)
        #expect(Base32.number(digits) == number)
    }
}

@Test(arguments: [0, 1, 6])
func anyByteOtherThanADigitMakesANumberInvalid(_ offset: Int) {
    let digits = Array("0123456789abcdefghijklmnopqrstuv".utf8)
    for position in 0..<7 {
        for byte in UInt8.min...UInt8.max {
            var bytes = [UInt8](repeating: UInt8(ascii: "!"), count: offset) + Array("7g0v19a".utf8)
            bytes[offset + position] = byte
            let values = bytes[offset...].map { digits.firstIndex(of: $0) }
            let expected =
                values.contains(nil) ? nil : values.reduce(0) { $0 << 5 | UInt64($1 ?? 0) }
            #expect(Base32.read(bytes.span, offset, 7) == expected)
        }
    }
}

// MARK: Rooms

private func room(sent: Int) -> RoomLedger {
    var ledger = RoomLedger(members: 2)
    for _ in 0..<sent { _ = ledger.send(0) }
    return ledger
}

struct Arrivals: Sendable {
    var order: [UInt32]
    var found: [RoomLedger.Delivery]
    var lost: UInt64 = 0

    static let all: [Arrivals] = [
        Arrivals(order: [0, 1, 2], found: [.inOrder, .inOrder, .inOrder]),
        Arrivals(order: [0, 2], found: [.inOrder, .ahead(missing: 1)], lost: 1),
        Arrivals(order: [0, 2, 1], found: [.inOrder, .ahead(missing: 1), .late]),
        Arrivals(order: [0, 0, 1, 2], found: [.inOrder, .duplicate, .inOrder, .inOrder]),
        Arrivals(order: [2, 1, 0], found: [.ahead(missing: 2), .late, .late]),
        Arrivals(order: [0, 1, 2, 1], found: [.inOrder, .inOrder, .inOrder, .duplicate]),
        Arrivals(order: [0, 3], found: [.inOrder, .phantom], lost: 2),
        Arrivals(order: [], found: [], lost: 3),
    ]
}

@Test(arguments: Arrivals.all)
func aRoomReportsTheFateOfEachText(arrivals: Arrivals) {
    var ledger = room(sent: 3)
    let found = arrivals.order.map { ledger.receive(1, from: 0, $0) }
    #expect(found == arrivals.found)
    #expect(ledger.owed(to: 1, from: 0).lost == arrivals.lost)
}

@Test(arguments: [62, 63, 64, 65, 66, 200])
func aHoleIsRememberedHoweverFarBackItIs(distance: Int) {
    var ledger = room(sent: 500)
    _ = ledger.receive(1, from: 0, 0)
    for sequence in 2..<2 + distance { _ = ledger.receive(1, from: 0, UInt32(sequence)) }
    #expect(!ledger.has(1, from: 0, 1))
    #expect(ledger.firstMissing(to: 1, from: 0) == 1)
    let late = ledger.receive(1, from: 0, 1)
    #expect(late == .late)
    #expect(ledger.has(1, from: 0, 1))
    let again = ledger.receive(1, from: 0, 1)
    #expect(again == .duplicate)
}

@Test(arguments: [1, 2, 62, 63, 64, 65, 300])
func aGapOfAnySizeIsLostOrFilled(gap: Int) {
    var ledger = room(sent: gap + 1)
    let first = ledger.receive(1, from: 0, UInt32(gap))
    #expect(first == .ahead(missing: UInt32(gap)))
    #expect(ledger.owed(to: 1, from: 0).lost == UInt64(gap))
    for sequence in 0..<gap {
        let found = ledger.receive(1, from: 0, UInt32(sequence))
        #expect(found == .late)
    }
    #expect(ledger.owed(to: 1, from: 0).lost == 0)
}

/// Compares the ledger with a model that remembers everything.
@Test(arguments: 1...20)
func aRoomAgreesWithASlowModel(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var ledger = RoomLedger(members: 2)
    var seen: Set<UInt32> = []
    var next: UInt32 = 0
    let sent: UInt32 = 400
    for _ in 0..<sent { _ = ledger.send(0) }
    var line = Array(0..<sent)
    // Some texts are lost, some duplicated, some swapped with a distant one.
    line.removeAll { _ in random.nextFraction() < 0.1 }
    line += line.filter { _ in random.nextFraction() < 0.1 }
    line.sort()
    for index in line.indices where random.nextFraction() < 0.1 {
        let other = min(index + Int(random.nextFraction() * 150), line.count - 1)
        line.swapAt(index, other)
    }
    for sequence in line {
        let expected: RoomLedger.Delivery
        if seen.contains(sequence) {
            expected = .duplicate
        } else if sequence < next {
            expected = .late
        } else if sequence == next {
            expected = .inOrder
        } else {
            expected = .ahead(missing: sequence - next)
        }
        let found = ledger.receive(1, from: 0, sequence)
        #expect(found == expected)
        seen.insert(sequence)
        next = max(next, sequence + 1)
    }
    #expect(ledger.owed(to: 1, from: 0).lost == UInt64(Int(sent) - seen.count))
}

@Test func nothingIsOwedToWhoHasLeft() {
    var ledger = room(sent: 5)
    _ = ledger.receive(1, from: 0, 0)
    ledger.leave(1)
    for _ in 0..<5 { _ = ledger.send(0) }
    #expect(ledger.owed(to: 1, from: 0) == .init(lost: 0, indefinite: 4))
    #expect(ledger.present == 1)
}

@Test func moreHolesThanAreRememberedAreStillLost() {
    let count = RoomLedger.oldGapsMax + 1_000
    var ledger = room(sent: count + 1)
    _ = ledger.receive(1, from: 0, UInt32(count))
    let owed = ledger.owed(to: 1, from: 0).lost + ledger.forgottenGaps
    #expect(owed == UInt64(count))
}

// MARK: The log

private func entry(owed: Int32) -> SentMessageLog.Entry {
    var entry = SentMessageLog.Entry()
    entry.owed = owed
    return entry
}

@Test func anEntryIsOverWhenAllHaveIt() {
    var log = SentMessageLog()
    let number = log.append(entry(owed: 2))
    let later = log.append(entry(owed: 1))
    #expect(log.open == 2)
    let isFirstOver = log.receive(number)
    #expect(!isFirstOver)
    let isLaterOver = log.receive(later)
    #expect(isLaterOver)
    #expect(log.contains(number))
    let isOver = log.receive(number)
    #expect(isOver)
    #expect(log.open == 0)
    #expect(!log.contains(number))
}

@Test func aLogGrowsWhileEntriesAreUnderWay() {
    var log = SentMessageLog()
    let numbers = (0..<5_000).map { _ in log.append(entry(owed: 1)) }
    #expect(log.open == 5_000)
    for number in numbers {
        #expect(log.contains(number))
        _ = log.receive(number)
    }
    #expect(log.open == 0)
}

@Test func aFullLogGivesUpTheOldest() {
    var log = SentMessageLog()
    for _ in 0..<SentMessageLog.entriesMax { _ = log.append(entry(owed: 1)) }
    #expect(log.givenUp == 0)
    _ = log.append(entry(owed: 1))
    #expect(log.givenUp == 1)
    #expect(!log.contains(1))
    #expect(log.open == SentMessageLog.entriesMax)
}

@Test func violationsAreAllCountedAndTheFirstAreKept() {
    var list = ViolationList()
    for number in 0..<25 {
        list.add(.duplicate) { Violation(.duplicate, "\(number)", time: 0) }
    }
    #expect(list[.duplicate] == 25)
    #expect(list.kept.count == ViolationList.keptMax)
    var other = ViolationList()
    other.count(.duplicate, 5)
    list.merge(other)
    #expect(list[.duplicate] == 30)
}
