import Diagnostics
import Results

/// SVG bars that show verdicts. Colours are presentation attributes, so that they work even if a
/// content security policy blocks styles.
package enum VerdictBar {
    /// Width of the bar in SVG units.
    static let width: Int64 = 1000
    /// Minimum width of a non-empty part.
    static let widthMin: Int64 = 8

    /// Returns the bar for a run, divided by verdict.
    static func bar(_ counts: VerdictCounts) -> String {
        let parts = Verdict.byUrgency.map { verdict in
            let look = VerdictStyle(verdict)
            return (
                verdict, counts[verdict], counted(counts[verdict], look.singular, look.plural)
            )
        }
        return bar(parts, label: counts.summary)
    }

    /// Returns the bar for a server's checks, divided by verdict.
    static func bar(_ server: CheckMatrix.Server) -> String {
        let parts = CheckSummary.byUrgency.map { verdict in
            let count = server.results.count(verdict)
            return (verdict, count, "\(count) \(VerdictStyle(verdict).checkWord.lowercased())")
        }
        let labels = parts.filter { $0.1 > 0 }.map(\.2).joined(separator: ", ")
        return bar(parts, label: "\(server.name): \(labels)")
    }

    /// Returns a bar divided by verdict. It uses patterns in addition to colours, for colour-blind
    /// readers.
    private static func bar(
        _ parts: [(verdict: Verdict, count: Int, label: String)], label: String
    ) -> String {
        let present = parts.filter { $0.count > 0 }
        let widths = shares(present.map { Int64($0.count) })
        var left: Int64 = 0
        var shapes = ""
        for (part, width) in zip(present, widths) {
            shapes += "<g><title>\(part.label)</title>"
            shapes += rectangle(part.verdict, x: left, width: width, height: 28)
            shapes += hatching(part.verdict, x: left, width: width) + "</g>"
            left += width
        }
        return """
            <svg role="img" aria-label="\(XMLText.attribute(label))" \
            viewBox="0 0 \(width) 28" preserveAspectRatio="none" width="\(width)" height="28" \
            xmlns="http://www.w3.org/2000/svg">\(shapes)</svg>
            """
    }

    /// Returns a square for a legend.
    static func swatch(_ verdict: Verdict) -> String {
        """
        <svg aria-hidden="true" viewBox="0 0 28 28" width="16" height="16">\
        \(rectangle(verdict, x: 0, width: 28, height: 28))\(hatching(verdict, x: 0, width: 28))</svg>
        """
    }

    /// Returns a bar whose length is proportional to a duration, relative to the longest one.
    static func duration(_ time: Int64, of longest: Int64, _ verdict: Verdict) -> String {
        let length = max(
            widthMin / 2, Int64(Double(time) / Double(max(longest, 1)) * Double(width)))
        return """
            <svg aria-hidden="true" viewBox="0 0 \(width) 14" preserveAspectRatio="none" \
            width="\(width)" height="14">\
            \(rectangle(verdict, x: 0, width: min(length, width), height: 14))</svg>
            """
    }

    /// Returns the widths of the parts. They add up to the width of the bar, and every non-empty
    /// part has at least the minimum width.
    package static func shares(_ parts: [Int64]) -> [Int64] {
        let total = parts.reduce(0, +)
        guard total > 0 else { return [] }
        var widths = parts.map { max(widthMin, $0 * width / total) }
        if let largest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
            widths[largest] += width - widths.reduce(0, +)
        }
        return widths
    }

    private static func rectangle(
        _ verdict: Verdict, x: Int64, width: Int64, height: Int64
    ) -> String {
        """
        <rect class="bar-\(verdict.rawValue)" x="\(x)" y="0" width="\(width)" height="\(height)" \
        fill="\(colour(verdict))"/>
        """
    }

    private static func colour(_ verdict: Verdict) -> String {
        switch verdict {
        case .passed: "#1a7f37"
        case .failed, .error: "#cf222e"
        case .inconclusive, .flaky, .delayed: "#9a6700"
        case .knownFailure: "#8250df"
        case .observed: "#0860ca"
        case .skipped: "#6e7781"
        }
    }

    /// Returns white lines to draw on top of all verdicts except passed: vertical for failures,
    /// horizontal for inconclusive verdicts and known failures, and a single line for delayed
    /// answers.
    private static func hatching(_ verdict: Verdict, x: Int64, width: Int64) -> String {
        var path = ""
        switch verdict {
        case .passed, .skipped, .observed: return ""
        case .failed, .error:
            for offset in stride(from: x + 6, to: x + width - 1, by: 10) {
                path += "M\(offset) 0v28"
            }
        case .delayed: path = "M\(x) 14h\(width)"
        case .inconclusive, .flaky, .knownFailure:
            for y in stride(from: 7, to: 28, by: 7) { path += "M\(x) \(y)h\(width)" }
        }
        return "<path d=\"\(path)\" stroke=\"#ffffff\" stroke-opacity=\".45\" stroke-width=\"2\"/>"
    }
}
