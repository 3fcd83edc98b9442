import ArgumentParser
import Load

/// A value of `--watch`: the ID of a process, or the URL of a Prometheus endpoint.
struct WatchArgument: ExpressibleByArgument {
    /// ID of the process to observe; nil if metrics are to be read.
    private(set) var pid: Int?
    private(set) var source: MetricsSource?
    /// Reason the value cannot be used; nil if it can.
    private var problem: String?

    init?(argument: String) {
        if argument.contains("://") {
            do throws(MetricsSource.Malformed) {
                source = try MetricsSource(parsing: argument)
            } catch {
                problem = error.message
            }
        } else if let number = Int(argument), (1...Int(Int32.max)).contains(number) {
            pid = number
            if !ObservedTarget.exists(number) {
                problem = "this machine has no process with this ID"
            }
        } else {
            problem =
                "expected a process ID such as 1234, or a URL such as "
                + "http://127.0.0.1:9100/metrics#NAME"
        }
        word = argument
    }

    private let word: String

    /// Throws an error if the value cannot be used.
    func validate(_ option: String) throws {
        if let problem { throw ValidationError("\(option) \(word): \(problem)") }
    }
}
