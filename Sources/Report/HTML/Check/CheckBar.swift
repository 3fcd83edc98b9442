import Results

/// A bar of a server's verdicts: SVG with presentation attributes, which are seen even where a content policy
/// forbids styles.
enum CheckBar {
    /// One bar, divided by verdict: by colour, and by a pattern for who cannot tell the colours apart.
    static func bar(_ server: CheckMatrix.Server) -> String {
        let results = server.results
        let present = CheckSummary.byUrgency.filter { results.count($0) > 0 }
        let widths = VerdictBar.shares(present.map { Int64(results.count($0)) })
        var (left, shapes, labels): (Int64, String, [String]) = (0, "", [])
        for (verdict, width) in zip(present, widths) {
            let label = "\(results.count(verdict)) \(CheckSummary.look(verdict).word.lowercased())"
            labels.append(label)
            shapes += "<g><title>\(label)</title>" + rectangle(verdict, x: left, width: width)
            shapes += hatching(verdict, x: left, width: width) + "</g>"
            left += width
        }
        let name = XMLText.attribute("\(server.name): \(labels.joined(separator: ", "))")
        return """
            <svg role="img" aria-label="\(name)" viewBox="0 0 \(VerdictBar.width) 28" \
            preserveAspectRatio="none" width="\(VerdictBar.width)" height="28" \
            xmlns="http://www.w3.org/2000/svg">\(shapes)</svg>
            """
    }

    /// The small square of a legend.
    static func swatch(_ verdict: CheckVerdict) -> String {
        """
        <svg aria-hidden="true" viewBox="0 0 28 28" width="16" height="16">\
        \(rectangle(verdict, x: 0, width: 28))\(hatching(verdict, x: 0, width: 28))</svg>
        """
    }

    private static func rectangle(_ verdict: CheckVerdict, x: Int64, width: Int64) -> String {
        """
        <rect class="bar-\(verdict.rawValue)" x="\(x)" y="0" width="\(width)" height="28" \
        fill="\(colour(verdict))"/>
        """
    }

    private static func colour(_ verdict: CheckVerdict) -> String {
        switch verdict {
        case .passed: "#1a7f37"
        case .failed: "#cf222e"
        case .inconclusive, .flaky, .delayed: "#9a6700"
        case .knownFailure: "#8250df"
        case .observed: "#0860ca"
        case .skipped: "#6e7781"
        }
    }

    /// White lines: upright for a failure, lying for what is undecided or known, sparse for what is late.
    private static func hatching(_ verdict: CheckVerdict, x: Int64, width: Int64) -> String {
        var path = ""
        switch verdict {
        case .passed, .skipped, .observed: return ""
        case .failed:
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
