import Diagnostics
package import Results

extension ScenarioFinder {
    /// Paths of the scenarios that the words name.
    package static func paths(_ words: [String]) throws(CommandFailure) -> [String] {
        do {
            return try find(words).map(\.path)
        } catch {
            throw CommandFailure(.noInput, Diagnosed(error.diagnostic))
        }
    }
}
