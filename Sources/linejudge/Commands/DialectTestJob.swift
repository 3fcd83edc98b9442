import Conformance
import Console
import Diagnostics
import Glibc
import Report
import Results
import Runner
import SessionTransport
import Transport

/// A job that tests a dialect against a server and prints the results.
struct DialectTestJob {
    /// Maximum number of lines of the server's output shown if the server has ended.
    private static let outputLinesMax = 8
    /// Maximum time for a server that closes its sockets to end.
    private static let endingMax = Duration.milliseconds(300)

    let setup: DialectTestSetup
    let display: DialectTestDisplay
    /// How long to wait for a running server; nil to try only once.
    let wait: DurationArgument?
    let interruptions: Interruptions

    /// Tests the dialect against the given server or a started one.
    func run() async throws -> Ending {
        if let command = setup.command {
            do {
                return try await ServerUnderTest.run(command) { server in
                    let code = await test(at: server.endpoint)
                    if code != .ok { await showEnd(of: server) }
                    return code
                }
            } catch let error as Diagnosed {
                throw CommandFailure(.unavailable, error)
            }
        }
        guard let endpoint = setup.options.endpoint else { return .usage }
        let serverWait = ServerWait(
            limit: wait?.nanoseconds, interruptions: interruptions, security: setup.security)
        if let signal = try await serverWait.require(endpoint, "dialect-test.unreachable") {
            return signal.ending
        }
        return await test(at: endpoint)
    }

    private func test(at endpoint: Endpoint) async -> Ending {
        let output = Output.standard
        let text = DialectTestText(
            style: display.colours.style(for: output), columns: output.columns,
            showsTranscripts: display.transcript)
        let tester = setup.tester(
            at: endpoint, executor: SessionDriver(security: setup.security))
        output.write(text.heading(tester.begun))
        let found = await Job.run(until: interruptions, helpers: []) {
            await setup.run(tester) { output.write(text.line(for: $0)) }
        }
        var results = found.value
        if found.signal == SIGTERM { results.interruption = .terminated }
        output.write(text.ending(results))
        return results.exitCode
    }

    /// Warns if the server has ended on its own.
    private func showEnd(of server: RunningServer) async {
        // The last connection may fail shortly before the process ends.
        let deadline = ContinuousClock.now + Self.endingMax
        while server.earlyEnd == nil, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
        }
        guard let end = server.earlyEnd else { return }
        var warning = Diagnostic(
            .warning, "dialect-test.server-ended", "the server \(end) during the tests")
        for line in server.output.lastLines(Self.outputLinesMax) {
            warning = warning.note("| " + escapedForDisplay(line))
        }
        display.colours.show([warning])
    }
}
