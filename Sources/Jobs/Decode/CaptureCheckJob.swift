import Capture
import Conformance
import Console
import Diagnostics
import DialectFiles
import DialectModel
import LineProtocol
package import Report
package import Results

/// The captures to judge, as given on the command line.
package struct CaptureCheckRequest: Sendable {
    package var paths: [String]
    /// The dialect; nil to detect it.
    package var dialect: String?
    /// The connections that are judged.
    package var servers = CapturedServers()
    package var only: [String] = []
    package var skip: [String] = []
    package var isStrict = false
    /// True to show a line for every check.
    package var showsAll = false

    package init(_ paths: [String]) { self.paths = paths }
}

/// A job that applies the checks that need no stimulus to captured traffic.
package struct CaptureCheckJob {
    private let request: CaptureCheckRequest
    private let output: JobOutput<CheckReportFormat>

    package init(_ request: CaptureCheckRequest, _ output: JobOutput<CheckReportFormat>) {
        self.request = request
        self.output = output
    }

    /// Judges the captures, writes the reports, and returns the exit code.
    package func run() async throws -> ExitCode {
        try output.reports.prepare()
        let ids = try Catalogue.selected(
            CapturedCheck.all.map(\.id), only: request.only, skip: request.skip)
        let begin = ContinuousClock.now
        let decoding = decoding
        var decoded = try await DecodeRun(decoding).decoded()
        if let name = decoded.input.name { decoded.nameErrors(in: name, decoding.options.filters) }
        output.show(
            decoded.summary.diagnostics(isQuiet: output.isQuiet)
                + (decoded.damage?.diagnostics ?? []))
        let name = decoded.input.name ?? ""
        let file = decoded.outcome.dialects.files[0]
        guard let judgement = decoded.outcome.judgement, judgement.knownLines > 0,
            !decoded.outcome.dialects.isUnknown
        else { throw noLines(decoded, name, file) }
        let subject: Subject
        do {
            subject = try Subject(BoundDialect.of(file), name: request.dialect)
        } catch {
            throw CommandFailure(.unparsable, error)
        }
        var results = CheckResults(
            toolVersion: toolVersion, seed: 0, dialect: subject.name,
            endpoint: judgement.server, startedAt: (judgement.startedAt ?? 0) / 1_000_000_000,
            isStrict: request.isStrict)
        results.capture = name
        results.checks = CapturedCheck.all.filter { ids.contains($0.id) }.map {
            $0.result(judgement, subject, files: decoded.files)
        }
        results.duration = (ContinuousClock.now - begin).nanoseconds
        results.interruption = decoded.signal?.interruption
        try write(results, name)
        if let signal = decoded.signal { return signal.ending }
        // Everything readable was judged, but the rest could contain violations.
        return decoded.isDamaged && results.exitCode == .ok ? .inconclusive : results.exitCode
    }

    /// Returns the failure for a capture without lines to judge.
    private func noLines(
        _ decoded: DecodeRun.Decoded, _ name: String, _ file: DialectFile
    ) -> CommandFailure {
        // A diagnostic has said why there are no lines at all.
        if decoded.outcome.counts.conversation.lines == 0 { return CommandFailure(.inconclusive) }
        let start = escapedForDisplay(name) + ": no "
        if decoded.outcome.dialects.isUnknown {
            return CommandFailure(
                .inconclusive, "check.no-lines", start + "known dialect fits the lines",
                help: "choose one with --dialect, or describe it in a dialect file")
        }
        return CommandFailure(
            .inconclusive, "check.no-lines",
            start + "line is a command of the `\(file.dialect.name)` dialect")
    }

    private var decoding: DecodeRequest {
        var decoding = DecodeRequest(request.paths)
        decoding.dialects = request.dialect.map { [(name: $0, port: nil)] } ?? []
        decoding.options.format = .deliveries
        decoding.options.judges = true
        decoding.options.isQuiet = output.isQuiet
        decoding.read(only: request.servers)
        decoding.colours = output.colours
        return decoding
    }

    private func write(_ results: CheckResults, _ name: String) throws {
        let summary = CheckSummary(style: output.style, showsAll: request.showsAll)
        output.people.write(summary.heading(results, count: results.checks.count))
        output.log.write(summary.parts(of: results, replay: ""), to: output.people)
        try output.finish(CheckMatrix([CheckMatrix.Server(name, results)]))
    }
}
