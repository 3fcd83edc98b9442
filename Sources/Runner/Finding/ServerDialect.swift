package import Diagnostics
import DialectFiles

/// The scenarios to run against one server, all in the server's dialect.
package struct ServerDialect: Sendable {
    package var scenarios: [LoadedScenario]
    /// Note about selected scenarios that are not run; nil if all scenarios are run.
    package var note: Diagnostic?

    /// Leaves out scenarios in other built-in dialects. Scenarios in a user's own dialect are kept,
    /// because such a dialect may describe the same server.
    ///
    /// - Parameter name: The dialect specified in the server's address; nil if it does not specify
    ///   one.
    /// - Throws: An error if no scenario is left, or if the address does not specify a dialect and
    ///   the scenarios use several.
    package init(
        _ all: [LoadedScenario], speaking name: String?
    ) throws(ServerDialectError) {
        let builtIn = DialectLibrary.builtInNames
        let found = all.map(\.dialect).filter(builtIn.contains)
        guard let name else {
            guard let first = found.first, let other = found.first(where: { $0 != first }) else {
                scenarios = all
                return
            }
            throw ServerDialectError(
                message: "a server speaks one dialect, but the scenarios are written for both "
                    + "\(Self.described(first, all)) and \(Self.described(other, all))",
                help: "run the scenarios of each dialect separately, or name the dialect in the "
                    + "address, as in --server irc://HOST:PORT")
        }
        scenarios = all.filter { $0.dialect == name || !builtIn.contains($0.dialect) }
        guard builtIn.contains(name), scenarios.count < all.count else {
            scenarios = all
            return
        }
        let others = Set(found).subtracting([name]).sorted().joined(separator: ", ")
        guard !scenarios.isEmpty else {
            throw ServerDialectError(
                message: "the server speaks \(name), but the scenarios are written for \(others)",
                help: "pass --server tcp://HOST:PORT if the address specifies the wrong dialect")
        }
        let count = all.count - scenarios.count
        note = Diagnostic(
            .note, .otherDialect,
            "\(counted(count, "scenario")) for \(others) left out, since the server "
                + "speaks \(name)")
    }

    private static func described(_ dialect: String, _ all: [LoadedScenario]) -> String {
        let path = all.first { $0.dialect == dialect }?.path ?? ""
        return "\(dialect) (\(escapedForDisplay(path)))"
    }
}

/// The error for scenarios with several dialects when there is only one server.
package struct ServerDialectError: Error, Sendable, Hashable {
    package var message: String
    package var help: String
}
