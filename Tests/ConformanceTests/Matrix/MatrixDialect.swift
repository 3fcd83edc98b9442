import Conformance
import DialectFiles
import DialectModel
import Foundation
import LineProtocol
import ReferenceServer
import Results
import Session
import SessionTransport
import TestServers
import Transport

/// A dialect of the matrix: its checks, and servers that speak it with or without faults.
struct MatrixDialect: Sendable {
    /// The dialects that Linejudge brings along.
    static let builtIn = ["livechat", "irc", "msnp", "nats", "plain", "teamspeak"]
    /// A dialect of a user, in a folder of its own.
    static let file = "corner"
    static let all = builtIn + [file]
    /// Dialects whose servers end silent sessions: livechat names a time, the others have a ping of the server.
    private static let expiring: Set<String> = ["livechat", "irc", "nats"]
    /// Sessions that expire within a second, so that no check waits for half a minute.
    static let quickTiming = Timing(
        keepaliveInterval: 300_000_000, expiresAfter: 1_000_000_000, loginWithin: 1_000_000_000)
    /// So long a check waits for an answer of a server with a fault, in nanoseconds.
    private static let patience: Int64 = 3_000_000_000

    let name: String
    let dialect: Dialect
    let subject: Subject
    let catalogue: Catalogue

    /// - Parameter isQuick: whether sessions expire within a second.
    init(_ name: String, isQuick: Bool = false) throws {
        self.name = name
        let file = try DialectLibrary.find(name == Self.file ? Self.path : name)
        var dialect = file.dialect
        if isQuick, Self.expiring.contains(name) { dialect.timing = Self.quickTiming }
        self.dialect = dialect
        subject = try Subject(BoundDialect(dialect, source: file.source))
        catalogue = Catalogue(subject)
    }

    private static let path = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "CommandLineTests/Fixtures/\(file).yaml").path

    /// The entries of a rule that are played here; none where the rule says nothing about the dialect.
    func entries(of rule: String) -> [CatalogueEntry] {
        let entries = (try? catalogue.entries(only: [rule])) ?? []
        return entries.filter(\.isCheck)
    }

    /// Results of checks, and how often faults struck meanwhile.
    struct Played: Sendable {
        var results: [CheckResult] = []
        var strikes: [Fault: Int] = [:]
        /// How many lines of the server broke the command table.
        var brokenLines = 0
    }

    /// Plays checks against a server with these faults, over the simulated network.
    ///
    /// - Parameters:
    ///   - shrinks: whether what fails is made smaller.
    ///   - isLast: whether the rest need not be played any more, for each result.
    func play(
        _ entries: [CatalogueEntry], faults: [Fault] = [], shrinks: Bool = false,
        until isLast: (CheckResult) -> Bool = { _ in false }
    ) async throws -> Played {
        let options = options(faults)
        let server = try await SimulatedServer.start(speaking: dialect, options: options)
        let runner = CheckRunner(
            subject,
            CheckOptions(
                seed: 1, repetitions: 0, shrinks: shrinks,
                patience: faults.isEmpty ? nil : Self.patience), executor: server)
        var played = Played()
        for entry in entries {
            let results = await runner.run([entry])
            played.results += results
            if results.contains(where: isLast) { break }
        }
        played.brokenLines = runner.schema.brokenLines
        await server.shutdown()
        for (fault, count) in options.faults.counts { played.strikes[fault] = count }
        return played
    }

    /// Runs a program against a server with these faults, over the simulated network.
    func run(
        _ program: Program, _ segmentation: Segmentation, faults: [Fault] = []
    ) async throws -> ScenarioOutcome {
        let server = try await SimulatedServer.start(speaking: dialect, options: options(faults))
        let outcome = await server.play(
            program, options: ExecutionOptions(segmentation: segmentation, seed: 1))
        await server.shutdown()
        return outcome.result
    }

    private func options(_ faults: [Fault]) -> ServerOptions {
        var options = ServerOptions(dialect)
        if !faults.isEmpty {
            options.faults = FaultInjector(
                rates: Dictionary(uniqueKeysWithValues: faults.map { ($0, 1) }), seed: 1)
        }
        return options
    }

    /// The first checks of each rule, without what sends megabytes or waits for expiry.
    func sample(perRule count: Int) -> [CatalogueEntry] {
        let expensive: Set<String> = ["frame.max", "slow.reader", FaultTrial.socketRule]
        var counts: [String: Int] = [:]
        return catalogue.entries.filter { entry in
            let rule = entry.id.row
            guard entry.isCheck, !expensive.contains(rule), !rule.hasPrefix("live.") else {
                return false
            }
            counts[rule, default: 0] += 1
            return counts[rule, default: 0] <= count
        }
    }

    /// Plays the rule that looks at the server's sockets, over real ones.
    func playOverSockets(_ entries: [CatalogueEntry], fault: Fault) async throws -> Played {
        let options = options([fault])
        let server = try await ReferenceServer.start(speaking: dialect, options: options)
        let port = server.port ?? 0
        let runner = CheckRunner(
            subject, CheckOptions(seed: 1, repetitions: 0, shrinks: false, patience: Self.patience),
            executor: SocketExecutor(SessionDriver(), at: Endpoint(.host("127.0.0.1", port: port))),
            watch: LoopbackWatch(port: port))
        var played = Played()
        played.results = await runner.run(entries)
        await server.shutdown()
        for (fault, count) in options.faults.counts { played.strikes[fault] = count }
        return played
    }
}

extension CatalogueEntry {
    /// Whether the rule says something about the dialect.
    var isCheck: Bool { if case .check = self { true } else { false } }
}
