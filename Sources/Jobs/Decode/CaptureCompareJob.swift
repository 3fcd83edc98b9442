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
    /// The server ports whose connections are compared; empty for all.
    package var ports: [UInt16] = []

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
        return comparer.compared()
    }

    private func decoded(
        _ path: String
    ) async throws -> (capture: ComparableCapture, dialect: String) {
        var request = DecodeRequest([path])
        request.dialects = dialect.map { [(name: $0, port: nil)] } ?? []
        request.options.format = .scenario
        request.options.isForComparison = true
        request.options.isQuiet = true
        request.options.filters.ports = ports
        request.options.reassembly.ports = Set(ports)
        request.colours = colours
        let decoded = try await DecodeRun(request).decoded()
        colours.show(
            decoded.summary.diagnostics(isQuiet: true) + (decoded.damage?.diagnostics ?? []))
        if let signal = decoded.signal { throw CommandFailure(signal.ending) }
        guard !decoded.isDamaged, let capture = decoded.outcome.comparable else {
            throw CommandFailure(
                .inconclusive, .otherResults,
                "\(ResultsFile.name(path)) could not be read completely")
        }
        return (capture, decoded.outcome.dialects.files[0].dialect.name)
    }
}
