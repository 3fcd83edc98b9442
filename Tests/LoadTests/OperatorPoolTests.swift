import AllocationCount
import Foundation
import RepositoryFiles
import Results
import Testing

@testable import Load

@Test(arguments: [LoadAction.say, .relay, .probe], [1, 3, Int.max])
func whatAServerDoesRightIsCountedAndNothingElse(action: LoadAction, pieceBytes: Int) throws {
    var load = MemoryLoad(OperatorPool(try livechatPlan(action)))
    load.pieceBytes = pieceBytes
    load.setUp()
    let isSetUp = load.pool.isSetUp
    #expect(isSetUp)
    load.run(twoSeconds)
    let report = load.pool.finish(at: load.now)
    #expect(report.counts.ready == 12)
    #expect(report.counts.sent == 1_000)
    #expect(report.violations.total == 0)
    switch action {
    case .say:
        #expect(report.counts.delivered == 3_000)
        #expect(report.recorder.response(.say)?.count == 3_000)
        #expect(report.recorder.response(.sayLast)?.count == 1_000)
    case .relay:
        #expect(report.counts.delivered == 1_000)
        #expect(report.recorder.response(.relay)?.count == 1_000)
    default:
        #expect(report.counts.answered == 1_000)
        #expect(report.recorder.response(.probe)?.count == 1_000)
    }
    #expect(report.counts.owed == report.counts.delivered)
    let isQuiet = load.pool.isQuiet
    #expect(isQuiet)
}

/// The violations found equal those injected, in number and kind.
@Test(arguments: MemoryService.Fault.allCases, [3, 7, 50])
func everyFaultIsFoundAsOftenAsItWasCommitted(fault: MemoryService.Fault, every: Int) throws {
    var load = MemoryLoad(
        OperatorPool(try livechatPlan(.say)), MemoryService(fault: fault, every: every))
    load.setUp()
    load.run(twoSeconds)
    let report = load.pool.finish(at: load.now)
    #expect(load.service.injected > 0)
    let kind: Violation.Kind =
        switch fault {
        case .drop: .lost
        case .duplicate: .duplicate
        case .swap: .reordered
        case .leak: .leaked
        case .corrupt, .misattribute: .corrupted
        }
    var expected = [kind: load.service.injected]
    // A changed text counts as one that never arrived.
    if fault == .corrupt { expected[.lost] = load.service.injected }
    if fault == .swap {
        // The last delayed texts are followed by nothing that could overtake them.
        let left = report.violations[.lost]
        expected[.reordered] = load.service.injected - left
        if left > 0 { expected[.lost] = left }
        #expect(left <= 12)
    }
    #expect(report.violations.counts == expected)
    let shown = report.violations.kept.filter { $0.kind == kind }
    #expect(!shown.isEmpty)
    if kind != .lost { #expect(shown.allSatisfy { !$0.line.isEmpty }) }
}

@Test func inTheClosedModelEachWaitsForItsOwn() throws {
    let plan = try livechatPlan(.say, model: .closed(.constant(100_000_000)))
    var load = MemoryLoad(OperatorPool(plan))
    load.setUp()
    load.run(twoSeconds)
    let report = load.pool.finish(at: load.now)
    // Twelve operators that each send a text every 100 to 102 ms, starting within 200 ms.
    #expect((12 * 17...12 * 20).contains(Int(report.counts.sent)))
    #expect(report.violations.total == 0)
}

@Test(arguments: [
    (LoadAction.say, [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]), (.probe, Array(0..<12)),
])
func messagesAlternateBetweenRoomsButProbesFollowTheOrderOfConnections(
    action: LoadAction, order: [Int]
) throws {
    var load = MemoryLoad(OperatorPool(try livechatPlan(action)))
    load.setUp()
    load.pool.start(twoSeconds, share: .init())
    var senders: [Int] = []
    while senders.count < order.count, let due = load.pool.takeDue(at: twoSeconds.end) {
        senders.append(due.index)
    }
    #expect(senders == order)
}

@Test func actionsPreparedTogetherCountAsSentAtTheirOwnTimes() throws {
    var load = MemoryLoad(OperatorPool(try livechatPlan(.probe)))
    load.setUp()
    load.pool.start(twoSeconds, share: .init())
    let start = twoSeconds.start
    let numbers = (0..<2).map { index in
        load.pool.prepare(.init(index: index, action: .probe, intended: start))
    }
    let sentBefore = load.pool.progress.sent
    #expect(sentBefore == 0)
    load.pool.sent(numbers[0], at: start + 1_000_000)
    load.pool.sent(numbers[1], at: start + 30_000_000)
    let report = load.pool.finish(at: start + 31_000_000)
    #expect(report.counts.sent == 2)
    // Only the second one was sent late.
    #expect(report.counts.late == 1)
    #expect(report.lateness.minimum < 2_000_000)
    #expect(report.lateness.maximum >= 29_000_000)
}

@Test func inTheClosedModelTheFirstActionsAreEvenlySpread() throws {
    let plan = try livechatPlan(.probe, model: .closed(.constant(0)))
    var load = MemoryLoad(OperatorPool(plan))
    load.setUp()
    load.pool.start(twoSeconds, share: .init())
    var milliseconds: [Int64] = []
    while let due = load.pool.takeDue(at: twoSeconds.end) {
        milliseconds.append((due.intended - twoSeconds.start) / 1_000_000)
    }
    #expect(milliseconds == [1, 8, 17, 25, 33, 42, 50, 58, 67, 75, 83, 92])
}

@Test func anOperatorThatLosesItsConnectionIsOwedNothing() throws {
    var load = MemoryLoad(OperatorPool(try livechatPlan(.say)))
    load.setUp()
    load.pool.start(twoSeconds, share: .init())
    load.now = twoSeconds.start
    load.turn()
    // A text is in transit when its receiver leaves.
    load.pool.perform(.init(index: 0, action: .say, intended: load.now), at: load.now)
    load.pool.closed(1, byReset: true, at: load.now)
    load.pool.outputs = []
    let isQuietBefore = load.pool.isQuiet
    #expect(!isQuietBefore)
    load.service.receive(load.pool.outgoing, from: 0)
    for (index, text) in load.service.takeLines() where index != 1 {
        load.pool.receive(Array(text.utf8).span, index, at: load.now)
    }
    let isQuiet = load.pool.isQuiet
    #expect(isQuiet)
    let report = load.pool.finish(at: load.now)
    #expect(report.violations.counts == [.disconnected: 1])
    #expect(report.counts.indefinite == 1)
}

@Test func whoIsNotLetInIsCountedAndTheReasonIsKept() throws {
    var pool = OperatorPool(try livechatPlan(.say))
    pool.begin(0, at: 0)
    let outputs = pool.outputs
    #expect(outputs == [.connect(0)])
    pool.outputs = []
    pool.connected(0, at: 0)
    pool.receive(Array("R0002|S0001|409|nickname in use\n".utf8).span, 0, at: 0)
    let report = pool.finish(at: 0)
    #expect(report.counts.failed == 1)
    #expect(report.setupFailures.count == 1)
    #expect(report.setupFailures[0].line == Array("R0002|S0001|409|nickname in use".utf8))
}

@Test func aRefusalDuringTheLoadIsShown() throws {
    var load = MemoryLoad(OperatorPool(try livechatPlan(.say)))
    load.setUp()
    load.pool.receive(Array("R0002|S0004|429|too many\n".utf8).span, 3, at: load.now)
    let report = load.pool.finish(at: load.now)
    #expect(report.violations.counts == [.refused: 1])
    #expect(report.violations.kept[0].line == Array("R0002|S0004|429|too many".utf8))
}

@Test func aProbeThatIsNeverAnsweredIsFound() throws {
    var load = MemoryLoad(OperatorPool(try livechatPlan(.probe)))
    load.setUp()
    load.pool.perform(.init(index: 0, action: .probe, intended: load.now), at: load.now)
    load.pool.perform(.init(index: 0, action: .probe, intended: load.now), at: load.now)
    load.service.receive(load.pool.outgoing, from: 0)
    load.exchange()
    let report = load.pool.finish(at: load.now)
    #expect(report.counts.answered == 1)
    #expect(report.violations.counts == [.unanswered: 1])
}

@Test func textsOfOtherClientsAreNoViolation() throws {
    var load = MemoryLoad(OperatorPool(try livechatPlan(.say)))
    load.setUp()
    load.pool.receive(Array("R0004|9|hello there|Joe|17000000|0\n".utf8).span, 0, at: load.now)
    let report = load.pool.finish(at: load.now)
    #expect(report.violations.total == 0)
    #expect(report.counts.foreign == 1)
}

/// Each worker runs its own rooms; together they are the whole load.
@Test func workersTogetherSendWhatOneWouldSend() throws {
    let plan = try livechatPlan(.say, operators: 40)
    var report = WorkerReport()
    var names: [Int] = []
    for worker in 0..<3 {
        var load = MemoryLoad(OperatorPool(plan, worker: worker, of: 3))
        names += Array(load.pool.firstOperator..<load.pool.firstOperator + load.pool.count)
        load.setUp()
        load.pool.start(twoSeconds, share: .init(index: worker, count: 3))
        load.now = twoSeconds.start
        while load.now < twoSeconds.end {
            load.turn()
            load.now += 1_000_000
        }
        report.merge(load.pool.finish(at: load.now))
    }
    #expect(names == Array(0..<40))
    #expect(report.counts.sent == 1_000)
    #expect(report.counts.delivered == 3_000)
    #expect(report.violations.total == 0)
}

/// Runs alone, because allocations are counted per thread.
@Test(
    .disabled(if: Sanitizer.isUsed, "sanitizers replace the allocator")
) func nothingIsAllocatedForAMessage() throws {
    var load = MemoryLoad(OperatorPool(try livechatPlan(.probe)))
    load.setUp()
    load.pool.start(twoSeconds, share: .init())
    let now = twoSeconds.start + 1
    var answer = Array("R0003|lj0000000\n".utf8)
    func exchange() {
        load.pool.perform(.init(index: 0, action: .probe, intended: now), at: now)
        for index in 0..<9 { answer[6 + index] = load.pool.outgoing[6 + index] }
        load.pool.receive(answer.span, 0, at: now)
    }
    for _ in 0..<2_000 { exchange() }
    try #require(allocation_count() >= 0, "allocations cannot be counted here")
    let before = allocation_count()
    for _ in 0..<1_000 { exchange() }
    let after = allocation_count()
    let report = load.pool.finish(at: now)
    #expect(report.counts.answered == 3_000)
    #expect(after - before == 0)
}
