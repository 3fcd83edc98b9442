import LineProtocol
import Results
import Session
import Testing

@testable import Load

/// The command-table check during a load.
struct SchemaTests {
    private func line(_ text: String) -> [UInt8] { Array((text + "\n").utf8) }

    @Test func withAServerThatDoesRightNothingIsFoundAndAFewLinesAreLookedAt() throws {
        var load = MemoryLoad(OperatorPool(try livechatPlan(.say)))
        load.setUp()
        load.run(twoSeconds)
        let all = load.pool.finish(at: load.now)
        let report = try #require(all.schema)
        #expect(report.brokenLines == 0)
        #expect(report.sampledOneOf == CommandTableSampler.oneOf)
        #expect(report.lines >= 3_000)
        let looks = report.commands.reduce(0) { $0 + $1.received }
        #expect(looks >= Int(CommandTableSampler.wholeMax))
        #expect(looks < 600)
        // One line of each kind that is sent is checked.
        #expect(report.commands.contains { $0.wire == "S0004" && $0.sent == 1 })
        #expect(report.commands.contains { $0.wire == "S0001" && $0.sent == 1 })
    }

    @Test func everyUnknownLineIsCounted() throws {
        var load = MemoryLoad(OperatorPool(try livechatPlan(.say)))
        load.setUp()
        load.run(twoSeconds)
        for number in 0..<700 {
            load.pool.receive(line("R9999|\(number)").span, number % 12, at: load.now)
        }
        let report = try #require(load.pool.finish(at: load.now).schema)
        #expect(report.breaks.map(\.count) == [700])
        let found = try #require(report.breaks.first)
        #expect(found.kind == "unknown-command")
        #expect(found.example == Array("R9999|0".utf8))
    }

    @Test func whatComesBeforeTheOperatorIsInItsRoomIsLookedAt() throws {
        var pool = OperatorPool(try livechatPlan(.say))
        pool.begin(3, at: 0)
        pool.connected(3, at: 0)
        pool.receive(line("R9998|welcome").span, 3, at: 0)
        let report = try #require(pool.finish(at: 0).schema)
        #expect(report.brokenLines == 1)
        #expect(report.sampledOneOf == 1)
    }

    @Test func violationsOutsideTheSampleAreNotFound() throws {
        var plan = try livechatPlan(.say)
        plan.looksAtSchema = false
        var load = MemoryLoad(OperatorPool(plan))
        load.setUp()
        load.pool.receive(line("R9999|x").span, 0, at: load.now)
        let report = load.pool.finish(at: load.now)
        #expect(report.schema == nil)
    }

    @Test func workersAddUp() throws {
        var sum = WorkerReport()
        for _ in 0..<3 {
            var pool = OperatorPool(try livechatPlan(.say))
            pool.begin(0, at: 0)
            pool.connected(0, at: 0)
            pool.receive(line("R9998|welcome").span, 0, at: 0)
            sum.merge(pool.finish(at: 0))
        }
        #expect(sum.schema?.brokenLines == 3)
    }

    /// Results of a load with this number of lines that violate the dialect.
    private func results(_ count: Int, _ threshold: String) throws -> LoadResults {
        var report = WorkerReport()
        report.measured = 2_000_000_000
        report.counts.ready = 12
        report.counts.sent = 1_000
        var schema = SchemaReport()
        schema.lines = 10
        if count > 0 {
            schema.breaks = [
                SchemaReport.Deviation(
                    kind: "unknown-command", command: [0x58], words: "unknown command",
                    count: count, example: [0x58])
            ]
        }
        report.schema = schema
        let plan = try livechatPlan(.say)
        return LoadResults(
            LoadDescription(
                toolVersion: "test", startedAt: 0, server: "a", plan: plan,
                options: FleetOptions(duration: 2_000_000_000),
                thresholds: [try Threshold(threshold)]),
            report, seconds: [])
    }

    @Test(arguments: [
        (0, "schema == 0", Verdict.passed), (2, "schema == 0", .failed),
        (2, "schema <= 2", .passed), (2, "lost == 0", .passed),
    ])
    func aPromiseSaysWhetherBrokenLinesFailALoad(
        count: Int, threshold: String, verdict: Verdict
    ) throws {
        #expect(try results(count, threshold).thresholds.map(\.verdict) == [verdict])
    }

    @Test func resultsOfShardsAddUp() throws {
        let merged = try LoadResults.merging([
            results(2, "schema == 0"), results(3, "schema == 0"),
        ])
        #expect(merged.commandTable?.report.breaks.map(\.count) == [5])
        #expect(merged.commandTable?.report.lines == 20)
        #expect(merged.thresholds.map(\.verdict) == [.failed])
    }

    @Test(arguments: [0, 1])
    func whereOneShardDidNotLookThePromiseIsNotDecided(index: Int) throws {
        var parts = [try results(0, "schema == 0"), try results(0, "schema == 0")]
        parts[index].commandTable = nil
        let merged = try LoadResults.merging(parts)
        #expect(merged.commandTable == nil)
        #expect(merged.thresholds.map(\.verdict) == [.inconclusive])
    }
}
