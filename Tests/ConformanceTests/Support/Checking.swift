import DialectModel
import Results
@testable import Conformance
import Diagnostics
import DialectFiles
import LineProtocol
import ReferenceServer
import Scenario
import Session
import SessionTransport
import TestServers
import Transport

/// What checks find in the reference server with this fault.
///
/// - Parameters:
///   - slow: whether checks are played that take long.
///   - changing: how the dialect is changed.
///   - serving: how the dialect is changed that the server speaks, if it is another.
///   - overSockets: whether real connections are made, for what the kernel's tables of sockets show.
func check(
    _ dialect: String, fault: Fault? = nil, only: [String] = [], seed: UInt64 = 1,
    timing: Timing? = nil, slow: Bool = false,
    changing: (inout Dialect) -> Void = { _ in }, serving: ((inout Dialect) -> Void)? = nil,
    overSockets: Bool = false
) async throws -> [CheckResult] {
    let file = try DialectLibrary.find(dialect)
    var dialect = file.dialect
    if let timing { dialect.timing = timing }
    var spoken = dialect
    changing(&dialect)
    if let serving { serving(&spoken) } else { spoken = dialect }
    var subject = try Subject(BoundDialect(dialect, source: file.source))
    subject.playsSlow = slow
    var options = ServerOptions(spoken)
    if let fault { options.faults = FaultInjector(rates: [fault: 1], seed: 1) }
    var checkOptions = CheckOptions(
        seed: seed, repetitions: 0, shrinks: false,
        patience: fault == nil ? nil : 3_000_000_000)
    let entries = try Catalogue(subject).entries(only: only)
    guard overSockets else {
        let server = try await SimulatedServer.start(speaking: spoken, options: options)
        let results = await CheckRunner(subject, checkOptions, executor: server).run(entries)
        await server.shutdown()
        return results
    }
    // What never comes is waited for in many checks at once: so a fault takes seconds, not minutes.
    checkOptions.jobs = 24
    let server = try await ReferenceServer.start(speaking: spoken, options: options)
    let executor = SocketExecutor(
        SessionDriver(), at: Endpoint(.host("127.0.0.1", port: server.port ?? 0)))
    let results = await CheckRunner(
        subject, checkOptions, executor: executor, watch: LoopbackWatch(port: server.port ?? 0)
    ).run(entries)
    await server.shutdown()
    return results
}

/// The rows of which some check failed.
func failedRows(_ results: [CheckResult]) -> Set<String> {
    Set(results.filter { $0.verdict == .failed }.map(\.id.row))
}
