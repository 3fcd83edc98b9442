package import Results

/// A text formatter for saved check results.
package struct CheckTexts {
    private let style: Style

    package init(style: Style) { self.style = style }

    package func text(_ matrix: CheckMatrix) -> String {
        let replays = matrix.servers.map { "--server \($0.results.endpoint)" }
        guard let only = matrix.servers.first?.results, matrix.servers.count == 1 else {
            return CheckMatrixSummary(style: style).text(matrix, replays: replays)
        }
        let summary = CheckSummary(style: style)
        return summary.heading(only, count: only.checks.count)
            + summary.text(only, replay: replays[0])
    }
}
