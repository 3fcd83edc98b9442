/// A builder for a page in the Prometheus text format, version 0.0.4.
package struct MetricsText: Sendable {
    /// The type of a metric.
    package enum Kind: String, Sendable {
        case counter, gauge
    }

    /// One line of a metric.
    package struct Sample: Sendable {
        package var labels: [(name: String, value: String)]
        package var value: String

        package init(labels: [(name: String, value: String)] = [], value: String) {
            self.labels = labels
            self.value = value
        }
    }

    /// The page so far.
    package private(set) var text = ""
    private let prefix: String

    /// Creates an empty page. `prefix` is prepended to every metric name.
    package init(prefix: String) { self.prefix = prefix }

    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        text += "# HELP \(prefix)\(name) \(help)\n"
        text += "# TYPE \(prefix)\(name) \(kind.rawValue)\n"
        for sample in samples {
            text += "\(prefix)\(name)"
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
