import DialectFiles
import Diagnostics
import LineProtocol
import ReferenceServer
import Results
import Testing
import Transport

@testable import Load

/// Loads over real sockets against the reference server. Asserts counts and order, never times.
@Suite struct FleetTests {
    private func run(
        _ plan: FleetPlan, workers: Int = 1, duration: Int64 = 500_000_000,
        usesEventLoops: Bool = false
    ) async throws -> WorkerReport {
        let file = try DialectLibrary.find(plan.operatorScript.dialectName)
        let server = try await ReferenceServer.start(speaking: file.dialect)
        var options = FleetOptions(duration: duration)
        options.workers = workers
        let fleet = try Fleet(
            plan, options, against: Endpoint(.host("127.0.0.1", port: server.port)),
            usesEventLoops: usesEventLoops)
        let report = await fleet.run(LoadMonitor(workers: workers))
        await server.shutdown()
        return report
    }

    @Test(arguments: [LoadAction.say, .relay, .probe], [1, 2])
    func allThatIsSentArrives(action: LoadAction, workers: Int) async throws {
        let plan = try livechatPlan(
            action, operators: 40, roomSize: 5,
            model: .open([RateStage(duration: 500_000_000, rate: 400)], .constant))
        let report = try await run(plan, workers: workers)
        #expect(report.counts.ready == 40)
        #expect(report.counts.sent == 200)
        #expect(report.counts.delivered == report.counts.owed)
        #expect(report.counts.answered == (action == .probe ? 200 : 0))
        #expect(report.violations.counts == [:])
        #expect(report.recorder.response(.login)?.count == 40)
    }

    @Test func anAnswerThatAllIsWellIsNoRefusal() async throws {
        var plan = try livechatPlan(
            .say, operators: 8,
            model: .open([RateStage(duration: 500_000_000, rate: 100)], .constant))
        plan.operatorScript = try operatorScript("teamspeak")
        let report = try await run(plan)
        #expect(report.counts.sent == 50)
        #expect(report.counts.delivered == report.counts.owed)
        #expect(report.violations.counts == [:], "\(report.violations.kept.map(\.story))")
    }

    /// A server with TLS also accepts plain connections.
    @Test(arguments: [LoadAction.say, .relay, .probe], [1, 2])
    func eventLoopsDoTheSame(action: LoadAction, workers: Int) async throws {
        var plan = try livechatPlan(
            action, operators: 40, roomSize: 5,
            model: .open([RateStage(duration: 1_500_000_000, rate: 200)], .constant))
        if action == .say {
            var guest = OperatorBehaviour(.reconnecting)
            guest.every = 400_000_000
            guest.away = 200_000_000
            guest.leave = .reset
            plan.kinds = [
                OperatorKind(name: "talkers", weight: 3, mix: plan.mix),
                OperatorKind(name: "guests", weight: 1, mix: plan.mix, behaviour: guest),
                OperatorKind(
                    name: "slow", weight: 1, mix: nil, behaviour: OperatorBehaviour(.slowReader)),
                OperatorKind(
                    name: "halves", weight: 1, mix: nil, behaviour: OperatorBehaviour(.halfClosed)),
            ]
        }
        let report = try await run(
            plan, workers: workers, duration: 1_500_000_000, usesEventLoops: true)
        #expect(report.counts.ready == 40)
        #expect(report.counts.sent == 300)
        #expect(report.counts.answered == (action == .probe ? 300 : 0))
        #expect(report.violations.counts == [:], "\(report.violations.kept.map(\.story))")
        if action == .say {
            #expect(report.behaviours[1].ready == report.behaviours[1].operators)
            #expect(report.behaviours[3].disconnected == report.behaviours[3].operators)
        } else {
            #expect(report.counts.delivered == report.counts.owed)
        }
    }

    @Test func theClosedModelGoesRoundAndRound() async throws {
        let plan = try livechatPlan(.relay, operators: 4, model: .closed(.constant(0)))
        let report = try await run(plan)
        #expect(report.counts.sent > 4)
        #expect(report.counts.delivered == report.counts.owed)
        #expect(report.violations.counts == [:])
    }

    @Test func aSearchOverRealSocketsConfirmsWhatHeld() async throws {
        var search = RateSearch(start: 50, maximum: 200)
        while let (rate, _) = search.next {
            let plan = try livechatPlan(
                .say, operators: 10, roomSize: 5,
                model: .open([RateStage(duration: 300_000_000, rate: rate)], .constant))
            let report = try await run(plan, duration: 300_000_000)
            #expect(report.counts.sent == UInt64(rate * 0.3))
            search.note(report.violations.total == 0 ? .passed : .failed)
        }
        #expect(search.confirmed == 200)
        #expect(search.steps.map(\.purpose) == [.doubling, .doubling, .doubling, .confirmation])
    }

    @Test func kindsOfOperatorsDoWhatTheyAreThereFor() async throws {
        var plan = try livechatPlan(
            .say, operators: 12, roomSize: 6,
            model: .open([RateStage(duration: 500_000_000, rate: 200)], .constant))
        plan.mix = ActionMix([(.say, 1), (.probe, 1)])
        plan.kinds = [
            OperatorKind(name: "talkers", weight: 1, mix: ActionMix([(.say, 1)])),
            OperatorKind(name: "askers", weight: 1, mix: ActionMix([(.probe, 1)])),
            OperatorKind(name: "listeners", weight: 1, mix: nil),
        ]
        let report = try await run(plan)
        #expect(report.counts.sent == 100)
        #expect(report.counts.answered == 50)
        #expect(report.counts.owed == 50 * 5)
        #expect(report.counts.delivered == report.counts.owed)
        #expect(report.violations.counts == [:])
    }

    @Test func whereNothingListensThereIsNoLoad() async throws {
        let plan = try livechatPlan(.probe, operators: 20)
        // A port that was just free.
        let file = try DialectLibrary.find("livechat")
        let server = try await ReferenceServer.start(speaking: file.dialect)
        let port = server.port
        await server.shutdown()
        let fleet = try Fleet(
            plan, FleetOptions(duration: 1_000_000_000),
            against: Endpoint(.host("127.0.0.1", port: port)))
        let watch = LoadMonitor(workers: 1)
        let report = await fleet.run(watch)
        #expect(watch.failure == "connection refused")
        #expect(report.counts.sent == 0)
    }

    @Test func aStoppedLoadReportsWhatItHas() async throws {
        let file = try DialectLibrary.find("livechat")
        let server = try await ReferenceServer.start(speaking: file.dialect)
        let plan = try livechatPlan(
            .say, model: .open([RateStage(duration: 600_000_000_000, rate: 500)], .constant))
        let fleet = try Fleet(
            plan, FleetOptions(duration: 600_000_000_000),
            against: Endpoint(.host("127.0.0.1", port: server.port)))
        let watch = LoadMonitor(workers: 1)
        async let running = fleet.run(watch)
        while watch.snapshot.sent < 50 { try await Task.sleep(for: .milliseconds(5)) }
        watch.stop()
        let report = await running
        #expect(report.counts.sent >= 50)
        #expect(report.counts.delivered == report.counts.owed)
        #expect(report.violations.counts == [:])
        #expect(report.measured > 0 && report.measured < 600_000_000_000)
        await server.shutdown()
    }
}
