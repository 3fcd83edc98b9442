package import Conformance
package import Console
import Diagnostics
import DialectModel
import Glibc
import Report
package import Results
import Runner
import SessionTransport
import Transport

/// A job that tests a dialect against a server and prints the results.
package struct DialectTestJob: Sendable {
    /// Maximum number of lines of the server's output to show if the server has ended.
    private static let outputLinesMax = 8
    /// Maximum time to wait for the server's process to end after a failed test.
    private static let endingMax = Duration.milliseconds(300)

    private let setup: DialectTestSetup
    private let colours: Colours
    private let showsTranscripts: Bool
    /// How long to wait for a running server, in nanoseconds; nil to try only once.
    private let wait: Int64?
    private let interruptions: Interruptions

    package init(
        _ setup: DialectTestSetup, colours: Colours, showsTranscripts: Bool, wait: Int64?,
        until interruptions: Interruptions
    ) {
        self.setup = setup
        self.colours = colours
        self.showsTranscripts = showsTranscripts
        self.wait = wait
        self.interruptions = interruptions
    }

    /// Tests the dialect against the given server, or one that it starts, and returns the exit
    /// code.
    package func run() async throws -> ExitCode {
        let server = JobServer(
            setup.command, at: setup.command?.endpoint ?? setup.options.endpoint,
            speaking: setup.bound.dialect)
        if case .running(let endpoint) = server {
            let serverWait = ServerWait(
                limit: wait, interruptions: interruptions, security: setup.security)
            if let signal = try await serverWait.require(endpoint, "dialect-test.unreachable") {
                return signal.ending
            }
        }
        return try await server.use { endpoint, started in
            let code = await test(at: endpoint)
            if let started, code != .ok { await showEnd(of: started) }
            return code
        }
    }

    private func test(at endpoint: Endpoint) async -> ExitCode {
        let output = Output.standard
        let text = DialectTestText(
            style: colours.style(for: output), columns: output.columns,
            showsTranscripts: showsTranscripts)
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
        // The server's last output may be read shortly after its end.
        let outputDeadline = ContinuousClock.now + .seconds(1)
        while server.output.tail.isEmpty, ContinuousClock.now < outputDeadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
        }
        var warning = Diagnostic(
            .warning, "dialect-test.server-ended", "the server \(end) during the tests")
        for line in server.output.lastLines(Self.outputLinesMax) {
            warning = warning.note("| " + escapedForDisplay(line))
        }
        colours.show([warning])
    }
}
