import Results

/// A limit that ends a load test before it harms the server, such as `cpu < 150%`.
package struct LoadBudget: Sendable, Hashable {
    /// A metric that a budget can limit.
    package enum Metric: String, Sendable, CaseIterable {
        /// CPU use of the server, as a percentage of one core.
        case cpu
        /// Memory use of the server, in bytes.
        case memory
        /// Delivery violations and failed operators, as a percentage of these and all deliveries.
        case errors
    }

    /// Number of consecutive checks in which a budget must be exceeded, so that a single peak does
    /// not end the load test.
    static let checksMin = 3

    /// The budget as written.
    package var text: String
    package var metric: Metric
    package var limit: Double

    /// An error for text that is not a budget.
    package struct Malformed: Error, Sendable {
        package var expected: String
    }

    package init(_ text: String) throws(Malformed) {
        let parts = text.split(separator: "<", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts.map { $0.filter { $0 != " " } }
        guard words.count == 2, let metric = Metric(rawValue: words[0]) else {
            throw Malformed(
                expected: "a budget such as 'cpu < 150%', 'memory < 2GiB' or 'errors < 1%'")
        }
        let isMemory = metric == .memory
        guard let limit = isMemory ? Self.bytes(words[1]) : Self.percent(words[1]), limit > 0 else {
            throw Malformed(expected: isMemory ? "a size such as 512MiB" : "a percentage above 0%")
        }
        self.text = "\(metric.rawValue) < \(words[1])"
        self.metric = metric
        self.limit = limit
    }

    private static func percent(_ text: String) -> Double? {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), number.isFinite else {
            return nil
        }
        return number
    }

    private static func bytes(_ text: String) -> Double? {
        let units = [("GiB", 1_073_741_824.0), ("MiB", 1_048_576.0), ("KiB", 1_024.0)]
        for (unit, factor) in units where text.hasSuffix(unit) {
            guard let number = Double(text.dropLast(unit.count)), number.isFinite else {
                return nil
            }
            return number * factor
        }
        return nil
    }

    /// Returns true if the results of a whole load test exceed the budget.
    func isExceeded(by results: LoadResults) -> Bool {
        guard metric == .errors else { return false }
        let violations = results.ledger.violations.values.reduce(0) { $0 + Double($1) }
        let percent = Self.errorPercent(
            violations + Double(results.operators.failed),
            deliveries: Double(results.traffic.delivered))
        return (percent ?? 0) >= limit
    }

    /// Returns errors as a percentage of these and the deliveries; nil if there are neither.
    private static func errorPercent(_ errors: Double, deliveries: Double) -> Double? {
        let all = deliveries + errors
        return all > 0 ? errors * 100 / all : nil
    }

    /// Returns the current value of the budget's metric; nil if it is unknown.
    func value(
        _ snapshot: LoadSnapshot, _ server: (cores: Double, memory: UInt64)?
    ) -> Double? {
        switch metric {
        case .cpu: return server.map { $0.cores * 100 }
        case .memory: return server.map { Double($0.memory) }
        case .errors:
            return Self.errorPercent(
                Double(snapshot.violations) + Double(snapshot.failed),
                deliveries: Double(snapshot.arrived))
        }
    }
}

/// A checker that determines when a load test must end because it exceeds a budget.
struct BudgetChecker {
    private let budgets: [LoadBudget]
    private var exceeded: [LoadBudget: Int] = [:]

    init(_ budgets: [LoadBudget]) { self.budgets = budgets }

    /// Returns the first budget that has been exceeded for long enough; nil if there is none.
    mutating func exceeded(
        _ snapshot: LoadSnapshot, _ server: (cores: Double, memory: UInt64)?
    ) -> LoadBudget? {
        for budget in budgets {
            let isOver = (budget.value(snapshot, server) ?? 0) >= budget.limit
            exceeded[budget] = isOver ? exceeded[budget, default: 0] + 1 : 0
        }
        return budgets.first { exceeded[$0, default: 0] >= LoadBudget.checksMin }
    }
}
