import DialectModel
import DialectFiles
import Load
import ReferenceServer
import Results
import Runner
import Testing
import Transport

/// Loads on real servers. Nothing may be lost; durations are not asserted.
@Suite struct RealLoadTests {
    @Test(arguments: [LoadAction.say, .relay])
    func ngircdLosesNothingOfTwoHundredOperators(_ action: LoadAction) async throws {
        let report = try await ServerUnderTest.run(RealServer.ngircd.command) { server in
            let file = try DialectLibrary.find("irc+ngircd")
            let plan = FleetPlan(
                operatorScript: try OperatorScript(BoundDialect.of(file), textBytes: 64),
                model: .open([RateStage(duration: 1_500_000_000, rate: 400)], .constant),
                mix: ActionMix([(action, 9), (.probe, 1)]),
                layout: RoomLayout(operators: 200, size: 10), run: 77,
                setupTimeout: 120_000_000_000)
            var options = FleetOptions(duration: 1_500_000_000)
            options.drain = 30_000_000_000
            return await (try Fleet(plan, options, against: server.endpoint))
                .run(LoadMonitor(workers: 1))
        }
        #expect(report.counts.ready == 200, "\(report.setupFailures.map(\.story))")
        #expect(report.counts.sent == 600)
        #expect(report.counts.owed > 0)
        #expect(report.counts.delivered == report.counts.owed)
        #expect(report.counts.answered > 0)
        #expect(report.violations.total == 0, "\(report.violations.kept.map(\.story))")
    }

    @Test(arguments: [LoadAction.say, .relay])
    func tinymuxLosesNothing(_ action: LoadAction) async throws {
        let report = try await ServerUnderTest.run(RealServer.tinymux.command) { server in
            let file = try DialectLibrary.find("mud+tinymux")
            let plan = FleetPlan(
                operatorScript: try OperatorScript(
                    BoundDialect.of(file), textBytes: 64,
                    variables: ["password": Array("sesame".utf8)]),
                model: .open([RateStage(duration: 1_500_000_000, rate: 100)], .constant),
                mix: ActionMix([(action, 9), (.probe, 1)]),
                layout: RoomLayout(operators: 20, size: 20), run: 80,
                setupTimeout: 120_000_000_000)
            var options = FleetOptions(duration: 1_500_000_000)
            options.drain = 30_000_000_000
            return await (try Fleet(plan, options, against: server.endpoint))
                .run(LoadMonitor(workers: 1))
        }
        #expect(report.counts.ready == 20, "\(report.setupFailures.map(\.story))")
        #expect(report.counts.sent == 150)
        #expect(report.counts.owed > 0)
        #expect(report.counts.delivered == report.counts.owed)
        #expect(report.violations.total == 0, "\(report.violations.kept.map(\.story))")
    }

    /// A thousand operators connect within ten seconds. ngircd's listen queue has ten entries, so
    /// Linux resets some of the connections after a minute.
    private static func crowd(
        _ dialect: String, _ endpoint: Endpoint
    ) async throws -> WorkerReport {
        let file = try DialectLibrary.find(dialect)
        let plan = FleetPlan(
            operatorScript: try OperatorScript(BoundDialect.of(file), textBytes: 64),
            model: .open([RateStage(duration: 1_000_000_000, rate: 200)], .constant),
            mix: ActionMix([(.say, 1)]), layout: RoomLayout(operators: 1_000, size: 10), run: 99,
            setupTimeout: 300_000_000_000)
        var options = FleetOptions(duration: 1_000_000_000)
        options.ramp = 10_000_000_000
        options.drain = 60_000_000_000
        options.resetsOnClose = true
        return await (try Fleet(plan, options, against: endpoint)).run(LoadMonitor(workers: 1))
    }

    private static func expectAll(_ report: WorkerReport) {
        #expect(report.counts.ready == 1_000, "\(report.setupFailures.map(\.story))")
        #expect(report.counts.failed == 0)
        #expect(report.recorder.response(.connect)?.count == 1_000)
        #expect(report.recorder.response(.login)?.count == 1_000)
        #expect(report.counts.sent == 200)
        #expect(report.counts.delivered == 1_800)
        #expect(report.violations.total == 0, "\(report.violations.kept.map(\.story))")
    }

    @Test(arguments: [(RealServer.ngircd, "irc+ngircd"), (.inspircd, "irc+inspircd")])
    func aThousandOperatorsAllGetIn(server: RealServer, dialect: String) async throws {
        let report = try await ServerUnderTest.run(server.command) {
            try await Self.crowd(dialect, $0.endpoint)
        }
        Self.expectAll(report)
    }

    @Test func aThousandOperatorsAllGetIntoTheReferenceServer() async throws {
        let server = try await ReferenceServer.start(
            speaking: try DialectLibrary.find("irc").dialect)
        let report = try await Self.crowd(
            "irc", Endpoint(.host("127.0.0.1", port: server.port)))
        await server.shutdown()
        Self.expectAll(report)
    }

    @Test func ngircdLosesNothingOfTheOthersWhereSomeMisbehave() async throws {
        let report = try await ServerUnderTest.run(RealServer.ngircd.command) { server in
            let file = try DialectLibrary.find("irc+ngircd")
            let talk = ActionMix([(.say, 9), (.probe, 1)])
            var plan = FleetPlan(
                operatorScript: try OperatorScript(BoundDialect.of(file), textBytes: 64),
                model: .open([RateStage(duration: 3_000_000_000, rate: 100)], .constant), mix: talk,
                layout: RoomLayout(operators: 60, size: 10), run: 78,
                setupTimeout: 120_000_000_000)
            var guest = OperatorBehaviour(.reconnecting)
            guest.every = 1_000_000_000
            guest.away = 500_000_000
            plan.kinds = [
                OperatorKind(name: "talkers", weight: 6, mix: talk),
                OperatorKind(
                    name: "slow", weight: 1, mix: nil, behaviour: OperatorBehaviour(.slowReader)),
                OperatorKind(
                    name: "mute", weight: 1, mix: nil, behaviour: OperatorBehaviour(.mute)),
                OperatorKind(
                    name: "halves", weight: 1, mix: nil, behaviour: OperatorBehaviour(.halfClosed)),
                OperatorKind(name: "guests", weight: 1, mix: talk, behaviour: guest),
            ]
            var options = FleetOptions(duration: 3_000_000_000)
            options.drain = 30_000_000_000
            return await (try Fleet(plan, options, against: server.endpoint))
                .run(LoadMonitor(workers: 1))
        }
        #expect(report.counts.ready == 60, "\(report.setupFailures.map(\.story))")
        #expect(report.violations.total == 0, "\(report.violations.kept.map(\.story))")
        #expect(report.counts.owed > 0)
        #expect(report.behaviours.map(\.ready) == [0, 6, 6, 6, 6])
        #expect(report.behaviours[4].departures > 0)
    }

    @Test(arguments: ["nickname-case", "channel-message", "ping"])
    func scenariosAreLoadsOfNgircd(_ name: String) async throws {
        let report = try await ServerUnderTest.run(RealServer.ngircd.command) { server in
            let file = try DialectLibrary.find("irc+ngircd")
            let loaded = try scenarios("Scenarios/irc/\(name).chat", dialect: "irc+ngircd")
            let program = try #require(loaded.first?.program)
            var plan = FleetPlan(
                operatorScript: try OperatorScript(bare: BoundDialect.of(file)),
                model: .closed(.constant(100_000_000)), mix: ActionMix([]),
                layout: RoomLayout(operators: 0, size: 1), run: 79)
            plan.scripts = [
                ScenarioScript(
                    name: name, program, dialect: BoundDialect.of(file), groups: 6)
            ]
            var options = FleetOptions(duration: 1_500_000_000)
            options.drain = 60_000_000_000
            return await (try Fleet(plan, options, against: server.endpoint))
                .run(LoadMonitor(workers: 1))
        }
        #expect(report.scenarios[0].failed == 0, "\(report.violations.kept.map(\.story))")
        #expect(report.scenarios[0].undecided == 0, "\(report.scenarios[0].reasons)")
        #expect(report.scenarios[0].passed >= 6)
    }
}
