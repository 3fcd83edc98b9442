import ArgumentParser
import Results
import Transport

/// A value of `--live`: the address on which to serve the page.
struct LiveArgument: CustomStringConvertible {
    let address: ListenAddress
    /// Reason the address cannot be used; nil if it can.
    let problem: String?

    /// A free port on the loopback interface.
    static let anyPort = LiveArgument(.tcp(host: "127.0.0.1", port: 0), problem: nil)

    private init(_ address: ListenAddress, problem: String?) {
        self.address = address
        self.problem = problem
    }

    /// Parses an address. Text without a colon is not an address but the plan that follows
    /// `--live`. This initializer throws an error for such text, which makes the argument parser
    /// use the default address. Other mistakes are reported when the options are validated.
    init(_ argument: String) throws {
        do {
            let address = try ListenAddress(parsing: argument)
            var problem: String?
            if case .unixSocket = address { problem = "browsers cannot open it" }
            self.init(address, problem: problem)
        } catch {
            guard argument.contains(":") else { throw ValidationError(error.message) }
            self.init(Self.anyPort.address, problem: error.message)
        }
    }

    /// Throws an error if `--live=TEXT` is used without an address. The parser would then use the
    /// default address and ignore the text. A port alone after `--live` would be taken for a plan.
    static func check(_ arguments: [String]) throws(CommandFailure) {
        let prefix = "--live="
        let options = arguments.prefix { $0 != "--" }
        let attached = options.first { $0.hasPrefix(prefix) && !$0.contains(":") }
        let port = zip(options, options.dropFirst())
            .first { $0 == "--live" && $1.allSatisfy(\.isNumber) }
        guard let value = attached?.dropFirst(prefix.count) ?? port?.1[...] else { return }
        throw CommandFailure(
            .usage, .badOption, "invalid value `\(value)` for --live",
            help: "expected HOST:PORT, such as 127.0.0.1:8080")
    }

    var description: String { address.description }
}
