import DialectFiles
import Diagnostics
import ReferenceServer
import Results
import Testing
import Transport

@testable import Load

// MARK: Members that come and go

private func room(_ sent: Int, members: Int = 3) -> RoomLedger {
    var ledger = RoomLedger(members: members)
    ledger.makeGuest(1)
    for _ in 0..<sent { _ = ledger.send(0) }
    return ledger
}

@Test func aGuestIsOwedWhatWasSentWhileItWasThere() {
    var ledger = room(3)
    _ = ledger.receive(1, from: 0, 0)
    _ = ledger.receive(1, from: 0, 2)
    #expect(ledger.owed(to: 1, from: 0) == .init(lost: 1))
    ledger.depart(1)
    for _ in 0..<10 { _ = ledger.send(0) }
    #expect(ledger.owed(to: 1, from: 0) == .init(lost: 1))
    ledger.startReturn(1)
    _ = ledger.send(0)
    ledger.finishReturn(1)
    #expect(ledger.owed(to: 1, from: 0) == .init(lost: 1))
    let first = ledger.send(0)
    #expect(ledger.owed(to: 1, from: 0) == .init(lost: 2))
    let delivery = ledger.receive(1, from: 0, first)
    #expect(delivery == .ahead(missing: 1))
    #expect(ledger.owed(to: 1, from: 0) == .init(lost: 1))
    #expect(ledger.indefinite == 0)
    #expect(ledger.present == 2)
}

@Test func whatWasUnderWayWhenAGuestLeftIsIndefinite() {
    var ledger = room(5)
    _ = ledger.receive(1, from: 0, 0)
    ledger.depart(1)
    #expect(ledger.indefinite == 4)
    #expect(ledger.owed(to: 1, from: 0) == .init())
}

@Test func whatWasSentWhileAGuestCameBackMayArriveOnceAndInOrder() {
    var ledger = room(5)
    ledger.depart(1)
    for _ in 0..<200 { _ = ledger.send(0) }
    ledger.startReturn(1)
    for _ in 0..<4 { _ = ledger.send(0) }
    ledger.finishReturn(1)
    let found = [205, 206, 208, 207, 207, 12].map { ledger.receive(1, from: 0, UInt32($0)) }
    #expect(found == [.inOrder, .inOrder, .ahead(missing: 1), .late, .duplicate, .bygone])
    #expect(ledger.owed(to: 1, from: 0) == .init())
}

@Test func whatASenderTakesWithItIsIndefiniteAndNothingElse() {
    var ledger = RoomLedger(members: 2)
    ledger.makeGuest(0)
    for _ in 0..<4 { _ = ledger.send(0) }
    _ = ledger.receive(1, from: 0, 1)
    // Text 0 was skipped, so it is lost; 2 and 3 may never have been sent.
    ledger.cutOff(0)
    for _ in 0..<2 { _ = ledger.send(0) }
    _ = ledger.receive(1, from: 0, 3)
    _ = ledger.receive(1, from: 0, 4)
    #expect(ledger.owed(to: 1, from: 0) == .init(lost: 2, indefinite: 1))
}

@Test func aBystanderIsOwedNothing() {
    var ledger = RoomLedger(members: 3)
    ledger.makeBystander(2)
    for _ in 0..<4 { _ = ledger.send(0) }
    #expect(ledger.present == 2)
    #expect(ledger.owed(to: 2, from: 0) == .init())
    let first = ledger.receive(2, from: 0, 3)
    let again = ledger.receive(2, from: 0, 3)
    #expect([first, again] == [.ahead(missing: 3), .duplicate])
}

// MARK: Without sockets

private func kinds(_ behaviour: OperatorBehaviour, mix: ActionMix?) -> [OperatorKind] {
    [
        OperatorKind(name: "talkers", weight: 3, mix: ActionMix([(.say, 1)])),
        OperatorKind(name: "others", weight: 1, mix: mix, behaviour: behaviour),
    ]
}

private func comers(_ leave: OperatorBehaviour.Leave) -> OperatorBehaviour {
    var behaviour = OperatorBehaviour(.reconnecting)
    behaviour.every = 400_000_000
    behaviour.away = 200_000_000
    behaviour.leave = leave
    return behaviour
}

/// The violations found equal those injected, even if operators come and go.
@Test(
    arguments: OperatorBehaviour.Leave.allCases,
    [nil, .drop, .duplicate, .corrupt] as [MemoryService.Fault?])
func whoComesAndGoesHidesNothingAndMakesNothingUp(
    leave: OperatorBehaviour.Leave, fault: MemoryService.Fault?
) throws {
    var plan = try livechatPlan(.say)
    plan.kinds = kinds(comers(leave), mix: ActionMix([(.say, 1)]))
    var load = MemoryLoad(OperatorPool(plan), MemoryService(fault: fault, every: 7))
    load.setUp()
    load.run(twoSeconds)
    let report = load.pool.finish(at: load.now)
    let tally = report.behaviours[1]
    #expect(tally.operators == 3)
    #expect(tally.departures >= 6)
    #expect(tally.returns >= 3)
    #expect(tally.returnsFailed == 0)
    #expect(tally.arrived > 0)
    #expect(report.counts.sent == 1_000)
    let injected = load.service.injected
    switch fault {
    case nil:
        #expect(report.violations.counts == [:])
        #expect(report.counts.owed == report.counts.delivered)
        #expect(report.counts.indefinite == 0)
    case .drop:
        // A text dropped just before an operator left may have been in transit.
        let lost = report.violations[.lost]
        #expect(report.violations.counts == [.lost: lost])
        #expect(lost <= injected && lost + report.counts.indefinite >= injected)
        #expect(lost > 0)
    case .duplicate: #expect(report.violations.counts == [.duplicate: injected])
    default:
        #expect(report.violations[.corrupted] == injected)
        #expect(report.violations[.lost] + report.counts.indefinite >= injected)
    }
}

@Test func theTurnOfOneThatLeftInTheClosedModelIsNotForgotten() throws {
    var plan = try livechatPlan(.say, model: .closed(.constant(50_000_000)))
    plan.kinds = kinds(comers(.reset), mix: ActionMix([(.say, 1)]))
    var load = MemoryLoad(OperatorPool(plan))
    load.setUp()
    load.run(twoSeconds)
    let report = load.pool.finish(at: load.now)
    #expect(report.violations.counts == [:])
    #expect(report.behaviours[1].returns >= 3)
    #expect(report.behaviours[1].sent > 30)
}

@Test(arguments: [OperatorBehaviour.Role.slowReader, .mute, .halfClosed, .slowWriter])
func nothingIsOwedToOneThatDoesNotTakePart(role: OperatorBehaviour.Role) throws {
    var plan = try livechatPlan(.say)
    plan.kinds = kinds(OperatorBehaviour(role), mix: nil)
    var load = MemoryLoad(OperatorPool(plan))
    load.setUp()
    load.pool.closed(2, byReset: false, at: load.now)
    load.pool.outputs = []
    load.service.leave(2)
    load.run(twoSeconds)
    let report = load.pool.finish(at: load.now)
    #expect(report.violations.counts == [:])
    #expect(report.counts.owed == report.counts.delivered)
    #expect(report.counts.owed == 2_000)
    #expect(report.counts.disconnected == 1)
    #expect(report.behaviours[1].disconnected == 1)
    #expect(
        report.behaviours[1].evidence.map(\.story) == [
            "the server closed the connection to lj02d0002"
        ])
    #expect(report.behaviours[1].arrived > 0)
}

@Test func aSilentOneConnectsAndSaysNothing() throws {
    var plan = try livechatPlan(.say)
    plan.kinds = kinds(OperatorBehaviour(.silent), mix: nil)
    var pool = OperatorPool(plan)
    pool.begin(2, at: 5)
    var outputs = pool.outputs
    pool.outputs = []
    pool.connected(2, at: 7)
    outputs += pool.outputs
    pool.outputs = []
    let keepsAlive = pool.keepsAlive(2)
    pool.receive(Array("R0003|token\n".utf8).span, 2, at: 9)
    outputs += pool.outputs
    #expect(outputs == [.connect(2), .settle(2)])
    #expect(!keepsAlive)
    let report = pool.finish(at: 9)
    #expect(report.behaviours[1].ready == 1)
    #expect(report.counts.ready == 1)
}

// MARK: Over sockets

/// Loads against the reference server. Asserts counts, never times.
@Suite(.serialized) struct BehaviourFleetTests {
    @Test(arguments: ["livechat", "irc"], OperatorBehaviour.Leave.allCases)
    func theOthersLoseNothing(_ dialect: String, _ leave: OperatorBehaviour.Leave) async throws {
        let file = try DialectLibrary.find(dialect)
        let server = try await ReferenceServer.start(speaking: file.dialect)
        var plan = FleetPlan(
            operatorScript: try operatorScript(dialect),
            model: .open([RateStage(duration: 2_000_000_000, rate: 150)], .constant),
            mix: ActionMix([(.say, 1), (.probe, 1)]),
            layout: RoomLayout(operators: 32, size: 8), run: 77)
        let does = ActionMix([(.say, 3), (.probe, 1)])
        var writer = OperatorBehaviour(.slowWriter)
        writer.bytesPerSecond = 50
        plan.kinds = [
            OperatorKind(name: "talkers", weight: 2, mix: does),
            OperatorKind(
                name: "slow", weight: 1, mix: does, behaviour: OperatorBehaviour(.slowReader)),
            OperatorKind(name: "writers", weight: 1, mix: nil, behaviour: writer),
            OperatorKind(
                name: "silent", weight: 1, mix: nil, behaviour: OperatorBehaviour(.silent)),
            OperatorKind(name: "mute", weight: 1, mix: nil, behaviour: OperatorBehaviour(.mute)),
            OperatorKind(
                name: "halves", weight: 1, mix: nil, behaviour: OperatorBehaviour(.halfClosed)),
            OperatorKind(name: "comers", weight: 1, mix: does, behaviour: comers(leave)),
        ]
        var options = FleetOptions(duration: 2_000_000_000)
        options.drain = 30_000_000_000
        let fleet = try Fleet(
            plan, options, against: Endpoint(.host("127.0.0.1", port: server.port)))
        let report = await fleet.run(LoadMonitor(workers: 1))
        await server.shutdown()
        #expect(report.counts.ready == 32, "\(report.setupFailures)")
        #expect(report.violations.counts == [:], "\(report.violations.kept.map(\.story))")
        #expect(report.counts.owed > 0)
        #expect(report.behaviours.map(\.operators) == [0, 4, 4, 4, 4, 4, 4])
        #expect(report.behaviours.map(\.ready) == [0, 4, 4, 4, 4, 4, 4])
        // The reference server closes a connection after a half-close.
        #expect(
            report.behaviours.map(\.disconnected) == [0, 0, 0, 0, 0, 4, 0],
            "\(report.behaviours.flatMap(\.evidence).map(\.story))")
        #expect(report.behaviours[6].departures > 0)
        #expect(report.behaviours[2].arrived > 0)
    }
}
