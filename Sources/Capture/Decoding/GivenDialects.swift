package import Diagnostics
package import DialectFiles
import Results

/// The dialects given on the command line, with their ports.
package struct GivenDialects: Sendable {
    package var files: [DialectFile] = []
    package var ports: [UInt16: Int] = [:]
    /// Index of the dialect for all other ports; nil to detect their dialects.
    package var usual: Int?

    /// - Parameter other: Dialect specified by a server's address, used if there are no arguments;
    ///   nil if there is none.
    package init(
        _ arguments: [(name: String, port: UInt16?)], _ other: String?
    ) throws {
        guard arguments.count < DialectSet.dialectsMax / 2 else {
            throw CommandFailure(
                .usage, .badOption,
                "too many --dialect options; the maximum is \(DialectSet.dialectsMax / 2 - 1)")
        }
        for argument in arguments {
            files.append(try DialectLibrary.find(argument.name))
            if let port = argument.port {
                guard ports[port] == nil else {
                    throw CommandFailure(
                        .usage, .badOption, "more than one dialect for port \(port)")
                }
                ports[port] = files.count - 1
            } else {
                guard usual == nil else {
                    throw CommandFailure(
                        .usage, .badOption, "more than one dialect without a port",
                        help: "give each a port: --dialect irc@6667 --dialect nats@4222")
                }
                usual = files.count - 1
            }
        }
        if arguments.isEmpty, let other {
            files = [try DialectLibrary.find(other)]
            usual = 0
        }
    }

    /// Returns warnings about requested commands that no dialect defines. Used for live traffic.
    package func doubts(on commands: [String]) -> [Diagnostic] {
        guard !files.isEmpty, usual != nil else { return [] }
        let unknown = UnknownCommands(dialects: files)
        return unknown.among(commands).map {
            unknown.diagnostic($0, .warning, "; only lines that begin with it are shown")
        }
    }
}
