import Diagnostics
import LineProtocol
import Results

/// JUnit report on a load test, with a test case for each kind of delivery violation and for each
/// threshold.
enum LoadJUnitReport {
    private struct Case {
        var name: String
        var failure: String?
        var isError = false
        /// Content of the `system-out` element; nil to omit it.
        var output: String?
    }

    static func text(_ results: LoadResults) -> String {
        let cases = cases(results)
        let failures = cases.count { $0.failure != nil && !$0.isError }
        let errors = cases.count { $0.failure != nil && $0.isError }
        let time = decimal(results.traffic.measuredNanoseconds, per: 1_000_000_000, digits: 3)
        let counts =
            "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" time=\"\(time)\""
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites name=\"linejudge\" \(counts)>",
            "  <testsuite name=\"load\" \(counts) timestamp=\""
                + "\(UTCTime(results.startedAt).isoText)\">",
        ]
        lines += cases.flatMap(written)
        return (lines + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private static func cases(_ results: LoadResults) -> [Case] {
        let violations = Violation.Kind.allCases.map { kind in
            let count = results.ledger.violations[kind.rawValue] ?? 0
            let shown = results.ledger.evidence.filter { $0.kind == kind.rawValue }
                .map { $0.story + ($0.line.map { ": \($0)" } ?? "") }
            return Case(
                name: "no violations: \(kind.rawValue)",
                failure: count > 0
                    ? (["\(count) \(kind.rawValue)"] + shown).joined(separator: "\n") : nil)
        }
        let thresholds = results.thresholds.map { result in
            Case(
                name: result.text,
                failure: result.verdict == .passed
                    ? nil : "measured: \(result.value.map { String($0) } ?? "no samples")",
                isError: result.verdict == .inconclusive)
        }
        let generator = Case(
            name: "the load generator was not the bottleneck",
            failure: results.generator.limits.isEmpty
                ? nil : results.generator.limits.joined(separator: "\n"),
            isError: true)
        let operators = Case(
            name: "every operator joined its room",
            failure: results.operators.failed > 0
                ? (["\(results.operators.failed) did not join"]
                    + results.operators.failures.map(\.story)).joined(separator: "\n") : nil)
        return [operators] + violations + [commandTable(results)].compactMap(\.self) + thresholds
            + [generator]
    }

    /// Returns a test case that lists the lines that violate the command table; nil if there are
    /// none. Without a threshold, such lines do not fail the load test.
    private static func commandTable(_ results: LoadResults) -> Case? {
        guard let report = results.commandTable?.report, report.brokenLines > 0 else { return nil }
        return Case(
            name: "server lines match the command table",
            output: report.breaks.map(SchemaPhrases.full).joined(separator: "\n"))
    }

    private static func written(_ one: Case) -> [String] {
        let head = "    <testcase classname=\"load\" name=\"\(XMLText.attribute(one.name))\""
        if let output = one.output {
            let inside = "      <system-out>\(XMLText.content(output))</system-out>"
            return [head + ">", inside, "    </testcase>"]
        }
        guard let failure = one.failure else { return [head + "/>"] }
        let element = one.isError ? "error" : "failure"
        let first = failure.split(separator: "\n").first.map(String.init) ?? failure
        return [
            head + ">",
            "      <\(element) message=\"\(XMLText.attribute(first))\">"
                + "\(XMLText.content(failure))</\(element)>",
            "    </testcase>",
        ]
    }
}
