package import Results

/// The report on a running load test. It is rendered like the final report.
package struct LiveLoadPage: Sendable {
    private var columns = LoadColumns()

    package init() {}

    package mutating func add(_ number: Int, _ second: LoadSecond) {
        columns.add(
            number, sent: second.sent, arrived: second.arrived, violations: second.violations,
            latencies: Dictionary(
                second.latencies.map { ($0.key.name, LatencyColumn($0.value)) },
                uniquingKeysWith: { $1 }))
    }

    /// Renders the complete page around the part that changes.
    package static func page(_ results: LoadResults, content: String) throws -> String {
        var head = LoadHTMLPage.head(results)
        head.isLive = true
        // The head is not updated, so it must not contain values that change.
        head.facts.removeAll { $0.name == "measured" }
        head.policy = LoadScript.policy(isLive: true)
        return try HTMLTemplates.page(Page(head: head, content: content), "load-live")
    }

    /// A page for requests that arrive before the load test has begun.
    package static let waiting =
        "<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\">"
        + "<title>linejudge load</title><p>The load test has not started yet."

    private struct Page {
        var head: PageHead
        var content: String
    }

    /// Renders the part of the page that changes.
    ///
    /// - Parameters:
    ///   - results: The results so far, without per-second data.
    ///   - query: Query string for command requests, including the question mark.
    package func main(
        _ results: LoadResults, _ snapshot: LoadSnapshot, _ progress: LoadProgress, query: String
    ) throws -> String {
        try HTMLTemplates.page(data(results, snapshot, progress, query), "load-main")
    }

    /// Renders the corresponding part of the final report.
    package static func main(_ results: LoadResults) throws -> String {
        try HTMLTemplates.page(LoadHTMLPage(results), "load-main")
    }

    private func data(
        _ results: LoadResults, _ snapshot: LoadSnapshot, _ progress: LoadProgress,
        _ query: String
    ) throws -> LoadHTMLPage {
        try LoadHTMLPage(
            results, columns,
            live: LoadHTMLPage.Live(progress: progress, snapshot: snapshot, query: query))
    }
}
