import Diagnostics
package import Results

extension ScenarioFinder {
    /// Returns the paths of the scenarios that the arguments refer to.
    package static func paths(_ words: [String]) throws(CommandFailure) -> [String] {
        do {
            return try find(words).map(\.path)
        } catch {
            throw CommandFailure(.noInput, Diagnosed(error.diagnostic))
        }
    }
}
