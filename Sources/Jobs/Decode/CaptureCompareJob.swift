import Capture
import Console
import Diagnostics
import DialectFiles
import LineProtocol
package import Results

/// A job that compares how a server answers in two captures.
package struct CaptureCompareJob {
    private let paths: (String, String)
    private let colours: Colours
    /// The dialect of both captures; nil to detect it.
    package var dialect: String?
    /// The connections that are compared.
    package var servers = CapturedServers()

    package init(_ one: String, _ other: String, _ colours: Colours) {
        paths = (one, other)
        self.colours = colours
    }

    /// Decodes and compares the captures.
    package func run() async throws -> CaptureComparison {
        let first = try await decoded(paths.0)
        let second = try await decoded(paths.1)
        guard first.dialect == second.dialect else {
            throw CommandFailure(
                .usage, .otherResults,
                "the captures seem to have different dialects (\(first.dialect) and "
                    + "\(second.dialect))", help: "pass --dialect NAME")
        }
        let captures = [("A", paths.0, first.capture), ("B", paths.1, second.capture)]
        let comparison = CaptureComparison(
            toolVersion: toolVersion, dialect: first.dialect,
            captures: captures.map { letter, path, capture in
                CaptureComparison.Capture(
                    letter: letter, name: path, conversations: capture.conversations.count,
                    lines: capture.lines)
            })
        var comparer = CaptureComparer(first.capture, second.capture, comparison)
        var result = comparer.compared()
        for (letter, capture) in [("A", first), ("B", second)] where capture.isDamaged {
            result.notes.append("\(letter) could not be read completely, and the rest may differ")
            if result.verdict == .passed { result.verdict = .inconclusive }
        }
        return result
    }

    private struct Decoded {
        var capture: ComparableCapture
        var dialect: String
        /// True if part of the capture could not be read.
        var isDamaged: Bool
    }

    private func decoded(_ path: String) async throws -> Decoded {
        var request = DecodeRequest([path])
        request.dialects = dialect.map { [(name: $0, port: nil)] } ?? []
        request.options.format = .scenario
        request.options.isForComparison = true
        request.options.isQuiet = true
        request.read(only: servers)
        request.colours = colours
        var decoded = try await DecodeRun(request).decoded()
        decoded.nameErrors(in: path, request.options.filters)
        colours.show(
            decoded.summary.diagnostics(isQuiet: true) + (decoded.damage?.diagnostics ?? []))
        if let signal = decoded.signal { throw CommandFailure(signal.ending) }
        guard let capture = decoded.outcome.comparable else {
            throw CommandFailure(
                .inconclusive, .otherResults, "\(ResultsFile.name(path)) contains no conversation")
        }
        return Decoded(
            capture: capture, dialect: decoded.outcome.dialects.files[0].dialect.name,
            isDamaged: decoded.isDamaged)
    }
}
