import DialectModel
import LineProtocol
import ReferenceServer
import Results
import Scenario
import Testing

@testable import Conformance

/// The lines that `slow.reader` sends, and the servers that it applies to.
struct SlowReaderTests {
    private func entries(lineBytesMax: Int) throws -> [CatalogueEntry] {
        let bound = try EvidenceTable.subject("irc").bound
        var dialect = bound.dialect
        dialect.framing.fromClient.limits.lineBytesMax = lineBytesMax
        let subject = try Subject(BoundDialect(dialect, source: bound.source))
        return try Catalogue(subject).entries(only: [SlowReader.ruleID])
    }

    @Test(arguments: [(455, false), (456, true), (512, true)])
    func linesMustHaveACertainLength(lineBytesMax: Int, applies: Bool) throws {
        let found = try entries(lineBytesMax: lineBytesMax)
        #expect(found.count == 1)
        for case .notApplicable(_, let reason) in found {
            #expect(reason == "lines are too short to fill the kernel's buffers")
        }
        let checks = found.filter { if case .check = $0 { true } else { false } }
        #expect(checks.count == (applies ? 1 : 0))
    }

    /// Short lines are sent together, so that the transcript keeps those before the pause.
    @Test(arguments: ["irc", "livechat"], [false, true])
    func writesAreLargeAndFew(dialect: String, slow: Bool) throws {
        var subject = try EvidenceTable.subject(dialect)
        subject.runsSlowChecks = slow
        let check = try #require(
            Catalogue(subject).checks.first { $0.id.rule == SlowReader.ruleID })
        let testCase = try #require(check.cases(subject, seed: 1).first)
        let floods = testCase.steps.compactMap { step -> Int? in
            guard step.role == .stimulus, case .repeated(let block)? = step.steps.first?.kind
            else { return nil }
            return block.count
        }
        #expect(floods.count == 33)
        #expect(floods.allSatisfy { (9...140).contains($0) }, "\(floods)")
    }

    /// A server that does not answer the survey might throttle clients.
    @Test func aServerThatThrottlesIsNotFlooded() async throws {
        let subject = try EvidenceTable.subject("irc")
        let entries = try Catalogue(subject).entries(only: [SlowReader.ruleID])
        let silent = SimulatedExecutor { _ in [] }
        let options = CheckOptions(seed: 1, repetitions: 0, shrinks: false)
        let results = await CheckRunner(subject, options, executor: silent).run(entries)
        #expect(results.map(\.verdict) == [.skipped])
        #expect(
            results.map(\.reason) == ["the server's flood control prevents sending enough data"])
    }

    /// If the server drops messages, nothing is known about a client that does not read.
    @Test func aServerThatDropsMessagesIsObserved() async throws {
        let results = try await check("irc", fault: .drop, only: [SlowReader.ruleID])
        #expect([.observed, .inconclusive].contains(results.first?.verdict), "\(results)")
    }
}
