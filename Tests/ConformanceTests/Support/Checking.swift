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
///   - row: if not nil, of other rows only a few checks are played, and none with long lines.
///   - shrinks: whether what fails is made smaller.
///   - slow: whether checks are played that take long.
///   - changing: how the dialect is changed.
///   - serving: how the dialect is changed that the server speaks, if it is another.
///   - count: if not nil, so many checks of each row are played, and few of those that take long.
///   - overSockets: whether real connections are made, for what the kernel's tables of sockets show.
func check(
    _ dialect: String, fault: Fault? = nil, only: [String] = [], seed: UInt64 = 1,
    sampledBeside row: String? = nil, perRow count: Int? = nil, timing: Timing? = nil,
    shrinks: Bool = false, slow: Bool = false,
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
        seed: seed, repetitions: 0, shrinks: shrinks,
        patience: fault == nil ? nil : 3_000_000_000)
    var entries = try Catalogue(subject).entries(only: only)
    if let row { entries = sampled(entries, beside: row, subject) }
    if let count { entries = quick(entries, count, subject) }
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

/// What comes of playing a scenario that a check has written down.
func replayed(_ text: String, _ name: String, fault: Fault?) async throws -> ScenarioOutcome {
    let found = try DialectLibrary.find(name)
    var options = ServerOptions(found.dialect)
    if let fault { options.faults = FaultInjector(rates: [fault: 1], seed: 1) }
    let file = try ScenarioParser.file(
        from: SourceText(path: "written.chat", bytes: Array(text.utf8)))
    let program = try ProgramCompiler.compile(
        file, with: BoundDialect.of(found))
    let isWithEnd = text.contains("run --segment \(Segmentation.finWithData.word)")
    let server = try await SimulatedServer.start(speaking: found.dialect, options: options)
    let outcome = await server.play(
        program, options: ExecutionOptions(segmentation: isWithEnd ? .finWithData : .whole, seed: 1)
    )
    await server.shutdown()
    return outcome.result
}

/// The rows of which some check failed.
func failedRows(_ results: [CheckResult]) -> Set<String> {
    Set(results.filter { $0.verdict == .failed }.map(\.id.row))
}

/// All checks of a row, and of the others one at most. Where silence decides a check takes long.
private func sampled(
    _ entries: [CatalogueEntry], beside row: String, _ subject: Subject
) -> [CatalogueEntry] {
    var counts: [String: Int] = [:]
    return entries.filter { entry in
        if entry.id.row == row { return true }
        // Rows about texts and people have a table of their own: what is wrong with lines they find, too.
        if TextFaultTests.groups.contains(where: entry.id.row.hasPrefix) { return false }
        let isSlow = subject.dialect.behaviours["probe"] == nil && entry.id.row != "frame.seg"
        if entry.id.row == "frame.max" || isSlow || takesLong(entry) { return false }
        counts[entry.id.row, default: 0] += 1
        return counts[entry.id.row, default: 0] <= 1
    }
}

/// The first checks of each row. Long lines are left out, and most of what waits for silence.
private func quick(
    _ entries: [CatalogueEntry], _ count: Int, _ subject: Subject
) -> [CatalogueEntry] {
    let isLong = subject.dialect.framing.fromClient.limits.lineBytesMax > 4_096
    let isSlow = subject.dialect.behaviours["probe"] == nil
    var counts: [String: Int] = [:]
    return entries.filter { entry in
        let row = entry.id.row
        if row == "frame.max", isLong { return false }
        if takesLong(entry), subject.name != "livechat" { return false }
        if isSlow, !["frame.seg", "frame.term", "pipe.order"].contains(row) { return false }
        counts[row, default: 0] += 1
        return counts[row, default: 0] <= count
    }
}

/// Whether a check plays hundreds of connections, or megabytes.
private func takesLong(_ entry: CatalogueEntry) -> Bool {
    if case .check(let check) = entry { check.isAlone || check.id.row == "amp" } else { false }
}
