/// Prometheus' text exposition format, version 0.0.4.
package struct MetricsText: Sendable {
    /// What a metric is.
    package enum Kind: String, Sendable {
        case counter, gauge, summary
    }

    /// One line of a metric.
    package struct Sample: Sendable {
        /// What follows the metric's name, such as `_count` of a summary.
        package var suffix: String
        package var labels: [(name: String, value: String)]
        package var value: String

        /// A line from its parts.
        package init(
            suffix: String = "", labels: [(name: String, value: String)] = [], value: String
        ) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    /// What was added so far.
    package private(set) var text = ""
    private let prefix: String

    /// An empty page whose names all begin with `prefix`.
    package init(prefix: String) { self.prefix = prefix }

    /// Adds a metric with all its lines.
    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        text += "# HELP \(prefix)\(name) \(help)\n"
        text += "# TYPE \(prefix)\(name) \(kind.rawValue)\n"
        for sample in samples {
            text += "\(prefix)\(name)\(sample.suffix)"
            if !sample.labels.isEmpty {
                let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
                text += "{\(labels.joined(separator: ","))}"
            }
            text += " \(sample.value)\n"
        }
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}
