import Conformance
import DialectFiles
import DialectModel
import Results
import Runner
import SessionTransport
import Testing

/// Checks of real servers whose outcome depends on what the servers are, with the profiles of
/// docs/findings.md.
@Suite struct RealCheckTests {
    private func results(_ server: RealServer, only: [String]) async throws -> [CheckResult] {
        let file = try DialectLibrary.find("irc+\(server.software.name)")
        let subject = try Subject(BoundDialect.of(file))
        let entries = try Catalogue(subject).entries(only: only)
        return try await ServerUnderTest.run(server.command) { running in
            let target = CheckTarget(running.endpoint, process: running.processID)
            return await CheckRunner(
                subject, CheckOptions(seed: 1, repetitions: 1, shrinks: false),
                executor: SocketExecutor(SessionDriver(), at: target.endpoint),
                watch: target.watch
            ).run(entries)
        }
    }

    @Test(arguments: [RealServer.ngircd, .inspircd, .hybrid])
    func repliesAndListsFailOnlyAsKnown(server: RealServer) async throws {
        let results = try await results(server, only: ["reply.shape", "reply.long"])
        for result in results {
            #expect(
                [.passed, .knownFailure].contains(result.verdict), "\(result.id): \(result.reason)")
        }
        // All three servers support ban lists.
        let bans = try #require(results.first { "\($0.id)" == "reply.long:bans" })
        #expect(bans.verdict == .passed)
        #expect(results.contains { $0.verdict == .knownFailure && $0.finding?.kind == "malformed" })
    }

    @Test(arguments: [RealServer.ngircd, .inspircd, .hybrid])
    func aServerThatSpinsIsFound(server: RealServer) async throws {
        let results = try await results(server, only: ["frame.foreign"])
        let spins = server.software == RealServer.ngircd.software
        #expect(results.map(\.verdict) == [spins ? .knownFailure : .passed])
        #expect(results.map(\.finding?.kind) == [spins ? "spins" : nil])
    }

    /// Capabilities, tags, labels, batches, channel modes and MONITOR, on the server that offers most
    /// of them.
    @Test func modernExtensionsFailOnlyAsKnown() async throws {
        let rules = ["cap", "tag", "batch", "mode", "monitor"]
        let labels = ["label:JOIN", "label:PING", "label:QUIT"]
        let results = try await results(.inspircd, only: rules + labels)
        for result in results {
            #expect(
                [.passed, .knownFailure, .skipped].contains(result.verdict),
                "\(result.id): \(result.reason)")
        }
        let passed = Set(results.filter { $0.verdict == .passed }.map { "\($0.id)" })
        for id in ["cap.held", "tag.value", "batch.references:lists", "mode:b", "monitor"] {
            #expect(passed.contains(id), "\(id) did not pass")
        }
        #expect(results.first { "\($0.id)" == "label:QUIT" }?.verdict == .knownFailure)
    }
}
