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

/// Returns the results of checks on the reference server with this fault.
///
/// - Parameters:
/// - slow: whether slow checks run.
/// - variables: values of variables that behaviours use.
/// - changing: changes the dialect.
/// - serving: changes the server's dialect if it differs.
/// - loginTime: how long a login takes, in nanoseconds.
/// - overSockets: whether to use real connections, as the kernel's socket tables require.
func check(
    _ dialect: String, fault: Fault? = nil, only: [String] = [], seed: UInt64 = 1,
    timing: Timing? = nil, slow: Bool = false, variables: [String: [UInt8]] = [:],
    changing: (inout Dialect) -> Void = { _ in }, serving: ((inout Dialect) -> Void)? = nil,
    loginTime: Int64 = 0, overSockets: Bool = false
) async throws -> [CheckResult] {
    let file = try DialectLibrary.find(dialect)
    var dialect = file.dialect
    if let timing { dialect.timing = timing }
    var spoken = dialect
    changing(&dialect)
    if let serving { serving(&spoken) } else { spoken = dialect }
    var subject = try Subject(
        BoundDialect(dialect, source: file.source), variables: variables)
    subject.runsSlowChecks = slow
    subject.loginTime = loginTime
    var options = ServerOptions(spoken)
    if AdapterKind(spoken) == .irc { options.addTestAccount() }
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
    // Many checks wait for lines that never arrive, so a short timeout saves minutes.
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

extension ServerOptions {
    /// Base64 of the account and its password, for SASL PLAIN.
    static let testCredentials = "AHRlc3RlcgBzZXNhbWU="

    /// Adds an account to an IRC server.
    mutating func addTestAccount() {
        rules.accounts[Array("tester".utf8)] = Array("sesame".utf8)
    }
}

/// The rules with a failed check.
func failedRules(_ results: [CheckResult]) -> Set<String> {
    Set(results.filter { $0.verdict == .failed }.map(\.id.rule))
}
