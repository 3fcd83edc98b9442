import Conformance
import DialectFiles
import LineProtocol
import ReferenceServer
import Session
import Transport

/// What checks find in the reference server with this fault.
func check(
    _ dialect: String, fault: Fault? = nil, only: [String] = [], seed: UInt64 = 1
) async throws -> [CheckResult] {
    let file = try DialectLibrary.find(dialect)
    let subject = try Subject(file.dialect, source: file.source)
    var options = ServerOptions(file.dialect)
    if let fault { options.faults = FaultInjector(rates: [fault: 1], seed: 1) }
    let server = try await ReferenceServer.start(speaking: file.dialect, options: options)
    let player = SocketPlayer(
        SessionDriver(), at: Endpoint(.host("127.0.0.1", port: server.port ?? 0)))
    let runner = CheckRunner(
        subject, CheckOptions(seed: seed, repetitions: 0, shrinks: false, patience: 4_000_000_000),
        player: player)
    let results = await runner.run(try Catalogue(subject).entries(only: only))
    await server.shutdown()
    return results
}

/// The rows of which some check failed.
func failedRows(_ results: [CheckResult]) -> Set<String> {
    Set(results.filter { $0.verdict == .failed }.map(\.id.row))
}
