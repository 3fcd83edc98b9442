package import DialectFiles
package import Results
package import Transport

extension DialectFile {
    /// Returns the dialect given on the command line.
    ///
    /// - Throws: `CommandFailure` if the dialect does not exist or has errors.
    package static func requested(_ name: String) throws(CommandFailure) -> DialectFile {
        do {
            return try DialectLibrary.find(name)
        } catch {
            throw CommandFailure(error.isMissingDialect ? .noInput : .unparsable, error)
        }
    }
}

extension Endpoint {
    /// Throws an error if neither the command line nor the dialect specifies a port.
    package func checkPort(of dialect: String) throws(CommandFailure) {
        guard !isComplete else { return }
        throw CommandFailure(
            .usage, .badOption, "\(location) has no port, and \(dialect) has no default port",
            help: "write --server HOST:PORT")
    }
}
