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

    /// The other parts of a line take 24 bytes.
    @Test(arguments: [
        ("irc", 488, nil), ("irc", 489, "use --text-bytes 488 or less"), ("nats", 492, nil),
    ])
    func messagesAreNotLongerThanTheDialectPermits(
        _ dialect: String, _ bytes: Int, _ help: String?
    ) throws {
        var request = LoadRequest(plan: Self.plan())
        request.dialect = dialect
        request.plan.textBytes = bytes
        guard let help else {
            #expect(try LoadSetup(request).plan.operatorScript.widths.text == bytes)
            return
        }
        let failure = try #require(throws: CommandFailure.self) { try LoadSetup(request) }
        #expect(failure.code == .usage)
        #expect("\(failure.diagnostics)".contains("lines are limited to 512 bytes"))
        #expect("\(failure.diagnostics)".contains(help))
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
