import DialectFiles
import Results
import Runner
import Transport

extension DialectFile {
    /// The dialect that a command line names; one that is not there, or is wrong, ends the command.
    static func asked(for name: String) throws(CommandFailure) -> DialectFile {
        do {
            return try DialectLibrary.find(name)
        } catch {
            throw CommandFailure(error.isMissingDialect ? .noInput : .unparsable, error)
        }
    }
}

extension Endpoint {
    /// Refuses a server whose port neither the command line nor the dialect names.
    func checkPort(of dialect: String) throws(CommandFailure) {
        guard !isComplete else { return }
        throw CommandFailure(
            .usage, .badOption, "\(place) has no port, and \(dialect) names none",
            help: "write --server HOST:PORT")
    }
}
