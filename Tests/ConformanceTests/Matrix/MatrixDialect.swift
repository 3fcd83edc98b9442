import Conformance
import DialectFiles
import DialectModel
import Foundation
import LineProtocol
import ReferenceServer
import RepositoryFiles
import Results
import Session
import SessionTransport
import Synchronization
import TestServers
import Transport

/// A dialect of the matrix: its checks, and servers that speak it with or without faults.
struct MatrixDialect: Sendable {
    /// The built-in dialects, in the order of the table's columns.
    static let builtIn = ["livechat", "irc", "msnp", "nats", "plain", "teamspeak", "jsonl"]
    /// Built-in dialects that are served like `file`, from their behaviours.
    static let similar = ["redis", "stomp"]
    /// Built-in dialects that the reference server does not speak: those of servers that are not
    /// chats, and `mud`, whose lines are text without commands.
    static let unserved = ["beanstalkd", "memcached", "mud", "nntp", "pop3", "smtp"]
    /// A dialect file in another folder, like one written by a user.
    static let file = "corner"
    static let all = builtIn + [file]
    /// Dialects whose idle sessions expire.
    private static let expiring: Set<String> = ["livechat", "irc", "nats"]
    /// Timing with which sessions expire after one second instead of half a minute.
    static let quickTiming = Timing(
        keepaliveInterval: 300_000_000, expiresAfter: 1_000_000_000, loginWithin: 1_000_000_000)
    /// Nanoseconds that a check waits for an answer from a faulty server.
    private static let patience: Int64 = 3_000_000_000

    let name: String
    let dialect: Dialect
    let subject: Subject
    let catalogue: Catalogue

    /// Dialects by name and speed, which are expensive to load and bind.
    private static let loaded = Mutex<[String: MatrixDialect]>([:])

    /// - Parameter isQuick: whether sessions expire within a second.
    init(_ name: String, isQuick: Bool = false) throws {
        self = try Self.loaded.withLock { loaded in
            let key = "\(name) \(isQuick)"
            let dialect = try loaded[key] ?? MatrixDialect(loading: name, isQuick: isQuick)
            loaded[key] = dialect
            return dialect
        }
    }

    private init(loading name: String, isQuick: Bool) throws {
        self.name = name
        let file = try DialectLibrary.find(name == Self.file ? Self.path : name)
        var dialect = file.dialect
        if isQuick, Self.expiring.contains(name) { dialect.timing = Self.quickTiming }
        self.dialect = dialect
        subject = try Subject(BoundDialect(dialect, source: file.source))
        catalogue = Catalogue(subject)
    }

    private static let path =
        Repository.root.appending(path: "Tests/CommandLineTests/Fixtures/\(file).yaml").path

    /// The checks of a rule; none if the rule does not apply to the dialect.
    func entries(of rule: String) -> [CatalogueEntry] {
        let entries = (try? catalogue.entries(only: [rule])) ?? []
        return entries.filter(\.isCheck)
    }

    /// Results of checks, and the number of times each fault occurred meanwhile.
    struct Findings: Sendable {
        var results: [CheckResult] = []
        var occurrences: [Fault: Int] = [:]
        /// The number of server lines that violate the command table.
        var brokenLines = 0
    }

    /// Runs checks against a server with these faults, over the simulated network.
    ///
    /// - Parameters:
    ///   - shrinks: whether failing cases are shrunk.
    ///   - isLast: whether a result makes the remaining checks unnecessary.
    func check(
        _ entries: [CatalogueEntry], faults: [Fault] = [], shrinks: Bool = false,
        until isLast: (CheckResult) -> Bool = { _ in false }
    ) async throws -> Findings {
        let options = options(faults)
        let server = try await SimulatedServer.start(speaking: dialect, options: options)
        let runner = CheckRunner(
            subject,
            CheckOptions(
                seed: 1, repetitions: 0, shrinks: shrinks,
                patience: faults.isEmpty ? nil : Self.patience), executor: server)
        var findings = Findings()
        for entry in entries {
            let results = await runner.run([entry])
            findings.results += results
            if results.contains(where: isLast) { break }
        }
        findings.brokenLines = runner.schema.brokenLines
        await server.shutdown()
        for (fault, count) in options.faults.counts { findings.occurrences[fault] = count }
        return findings
    }

    /// Runs a program against a server with these faults, over the simulated network.
    func run(
        _ program: Program, _ segmentation: Segmentation, faults: [Fault] = []
    ) async throws -> ScenarioOutcome {
        let server = try await SimulatedServer.start(speaking: dialect, options: options(faults))
        let outcome = await server.run(
            program, options: ExecutionOptions(segmentation: segmentation, seed: 1))
        await server.shutdown()
        return outcome.result
    }

    private func options(_ faults: [Fault]) -> ServerOptions {
        var options = ServerOptions(dialect)
        if AdapterKind(dialect) == .irc { options.addTestAccount() }
        if !faults.isEmpty {
            options.faults = FaultInjector(
                rates: Dictionary(uniqueKeysWithValues: faults.map { ($0, 1) }), seed: 1)
        }
        return options
    }

    /// The first checks of each rule, except those that send megabytes or wait for sessions to expire.
    func sample(perRule count: Int) -> [CatalogueEntry] {
        let expensive: Set<String> = ["frame.max", "slow.reader", FaultTrial.socketRule]
        var counts: [String: Int] = [:]
        return catalogue.entries.filter { entry in
            let rule = entry.id.rule
            guard entry.isCheck, !expensive.contains(rule), !rule.hasPrefix("live.") else {
                return false
            }
            counts[rule, default: 0] += 1
            return counts[rule, default: 0] <= count
        }
    }

    /// Runs checks over real sockets, for the rule that counts the server's.
    func checkOverSockets(_ entries: [CatalogueEntry], fault: Fault) async throws -> Findings {
        let options = options([fault])
        let server = try await ReferenceServer.start(speaking: dialect, options: options)
        let port = server.port ?? 0
        let runner = CheckRunner(
            subject, CheckOptions(seed: 1, repetitions: 0, shrinks: false),
            executor: SocketExecutor(SessionDriver(), at: Endpoint(.host("127.0.0.1", port: port))),
            watch: LoopbackWatch(port: port))
        var findings = Findings()
        findings.results = await runner.run(entries)
        await server.shutdown()
        for (fault, count) in options.faults.counts { findings.occurrences[fault] = count }
        return findings
    }
}

extension CatalogueEntry {
    /// Whether the rule applies to the dialect.
    var isCheck: Bool { if case .check = self { true } else { false } }
}
