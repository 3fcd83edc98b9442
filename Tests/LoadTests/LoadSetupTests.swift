import Diagnostics
import LineProtocol
import Load
import Results
import Runner
import Testing

/// Setups of loads, without a server.
@Suite struct LoadSetupTests {
    private static func plan() -> LoadPlan {
        var plan = LoadPlan()
        plan.operators = 20
        plan.roomSize = 5
        plan.seed = 7
        plan.stages = [LoadPlan.Stage(duration: 1_000_000_000)]
        plan.hold(rate: 50)
        return plan
    }

    @Test func settingsReachTheFleet() throws {
        var request = LoadRequest(plan: Self.plan())
        request.dialect = "irc"
        request.schema = .fail
        let setup = try LoadSetup(request)
        #expect(setup.endpoint == nil)
        #expect(setup.dialect.name == "irc")
        #expect(setup.plan.layout.rooms == 4)
        #expect(setup.plan.seed == 7)
        #expect(setup.thresholds.map(\.text) == ["schema == 0"])
    }

    @Test func aServerWithoutADialectIsRefused() throws {
        var request = LoadRequest(plan: Self.plan())
        request.server = "127.0.0.1:1"
        let failure = try #require(throws: CommandFailure.self) { try LoadSetup(request) }
        #expect(failure.code == .usage)
        #expect(failure.diagnostics.map(\.message) == ["missing dialect for 127.0.0.1:1"])
    }

    @Test func aShardWithoutAServerIsRefused() throws {
        var request = LoadRequest(plan: Self.plan())
        request.dialect = "irc"
        request.shard = "0/2"
        let failure = try #require(throws: CommandFailure.self) { try LoadSetup(request) }
        #expect(failure.code == .usage)
        #expect(failure.diagnostics.first?.message.hasPrefix("--shard requires --server") == true)
    }

    @Test func aPlanThatDoesNotExistIsMissingInput() throws {
        let failure = try #require(throws: CommandFailure.self) { try PlanFile("/no/such.yaml") }
        #expect(failure.code == .noInput)
    }
}
