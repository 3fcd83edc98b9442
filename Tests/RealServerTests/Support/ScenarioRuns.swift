import Diagnostics
import LineProtocol
import RepositoryFiles
import Results
import Runner
import Scenario
import Session
import Testing
import Transport

/// A server from a Debian package, and the script that starts it.
struct RealServer: Sendable, CustomTestStringConvertible {
    var software: Software
    var script: String
    /// Further arguments of the script.
    var arguments = ""

    var testDescription: String { software.description }

    var command: ServerCommand {
        let path = Project.path("scripts/servers/\(script)")
        return ServerCommand("'\(path)' {{port}} {{dir}} \(arguments)")
    }

    static let ngircd = RealServer(
        software: Software(name: "ngircd", version: "26.1"), script: "ngircd.sh")
    static let inspircd = RealServer(
        software: Software(name: "inspircd", version: "3.15.0"), script: "inspircd.sh")
    /// InspIRCd with Anope, with which users can log in to an account.
    static let inspircdWithAccounts = RealServer(
        software: inspircd.software, script: "inspircd-anope.sh")
    static let ngircdWithPassword = RealServer(
        software: ngircd.software, script: ngircd.script, arguments: "serverpass")
    static let hybrid = RealServer(
        software: Software(name: "ircd-hybrid", version: "8.2.43"), script: "ircd-hybrid.sh")
    static let memcached = RealServer(
        software: Software(name: "memcached", version: "1.6.18"), script: "memcached.sh")
    static let beanstalkd = RealServer(
        software: Software(name: "beanstalkd", version: "1.12"), script: "beanstalkd.sh")
    static let redis = RealServer(
        software: Software(name: "redis", version: "7.0.15"), script: "redis.sh")
    static let aiosmtpd = RealServer(
        software: Software(name: "aiosmtpd", version: "1.4.6"), script: "aiosmtpd.sh")
    static let dovecot = RealServer(
        software: Software(name: "dovecot", version: "2.3.19"), script: "dovecot-pop3.sh")
    static let inn = RealServer(
        software: Software(name: "inn", version: "2.7.1"), script: "inn.sh")
    static let tinymux = RealServer(
        software: Software(name: "tinymux", version: "2.12.0.10"), script: "tinymux.sh")
    static let coilmq = RealServer(
        software: Software(name: "coilmq", version: "1.1.0"), script: "coilmq.sh")
    static let inspircdWebSocket = RealServer(
        software: inspircd.software, script: "inspircd-websocket.sh")
    /// InspIRCd and aiosmtpd behind a proxy: each connection must start with a header of the PROXY
    /// protocol. InspIRCd reads only version 2.
    static let inspircdBehindProxy = RealServer(
        software: inspircd.software, script: "inspircd-haproxy.sh")
    static let aiosmtpdBehindProxy = RealServer(
        software: aiosmtpd.software, script: "aiosmtpd-haproxy.sh")
    static let natsWebSocket = RealServer(
        software: nats.software, script: nats.script, arguments: "websocket")
    static let nats = RealServer(
        software: Software(name: "nats-server", version: "2.9.10"), script: "nats-server.sh")
}

/// Loads every scenario in a path of the project.
func scenarios(
    _ path: String, dialect: String? = nil, variables: Set<String> = []
) throws -> [LoadedScenario] {
    let found = try ScenarioFinder.find([Project.path(path)])
    let loader = ScenarioLoader(dialectOverride: dialect, variables: variables)
    return found.map { loader.load($0) }
}

/// Options for a run whose results do not depend on the date.
func runOptions(for server: RealServer? = nil) -> RunOptions {
    var options = RunOptions(toolVersion: "test", startedAt: 0)
    options.command = server?.command ?? options.command
    options.software = server?.software ?? options.software
    options.today = CalendarDate(year: 2026, month: 1, day: 1)
    if Sanitizer.isUsed { options.stepTimeout *= 4 }
    return options
}

/// Expects every verdict to be one that a clean run may have, and prints the others.
func expectClean(_ results: RunResults, skippedMax: Int = 1) {
    for result in results.scenarios {
        let isClean = [.passed, .knownFailure, .skipped].contains(result.verdict)
        let text = DiagnosticRenderer().text(result.diagnostics)
        #expect(isClean, "\(result.path) [\(result.segmentation.word)]: \(result.verdict) \(text)")
    }
    #expect(results.exitCode == .ok)
    #expect(results.scenarios.count { $0.verdict == .passed } > 0)
    #expect(results.scenarios.count { $0.verdict == .skipped } <= skippedMax)
    let errors = DiagnosticRenderer().text(results.diagnostics)
    #expect(results.diagnostics.isEmpty, "run make setup first: \(errors)")
}
