import DialectFiles
import Load
import Runner
import Testing
import Transport

/// Loads of a real server. Nothing may be lost; how long anything takes is not asserted.
@Suite(.serialized) struct RealLoadTests {
    @Test(arguments: [LoadAction.say, .relay])
    func ngircdLosesNothingOfTwoHundredOperators(_ action: LoadAction) async throws {
        let report = try await ServerUnderTest.run(RealServer.ngircd.command) { server in
            let file = try DialectLibrary.find("irc+ngircd")
            let plan = FleetPlan(
                playbook: try Playbook(file.dialect, source: file.source, textBytes: 64),
                model: .open([RateStage(duration: 1_500_000_000, rate: 400)], .constant),
                mix: ActionMix([(action, 9), (.probe, 1)]),
                layout: RoomLayout(operators: 200, size: 10), run: 77,
                setupTimeout: 120_000_000_000)
            var options = FleetOptions(duration: 1_500_000_000)
            options.drain = 30_000_000_000
            return await (try Fleet(plan, options, against: server.endpoint))
                .run(FleetWatch(workers: 1))
        }
        #expect(report.counts.ready == 200, "\(report.setupFailures.map(\.story))")
        #expect(report.counts.sent == 600)
        #expect(report.counts.owed > 0)
        #expect(report.counts.delivered == report.counts.owed)
        #expect(report.counts.answered > 0)
        #expect(report.violations.total == 0, "\(report.violations.kept.map(\.story))")
    }
}
