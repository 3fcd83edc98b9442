import DialectModel
package import Scenario
package import Transport

/// Handles `needs` lines, which list the features that a server must support for the scenario to
/// apply.
extension ScenarioRunner {
    /// Returns whether the server supports everything that the scenario needs and, if not, the
    /// first unmet need.
    package func needs(
        of scenario: LoadedScenario, at endpoint: Endpoint
    ) async -> (needs: ServerNeeds, failed: Need?) {
        var values: [String: [UInt8]] = [:]
        for need in scenario.file?.header.needs ?? [] {
            if need.isFixture {
                guard options.fixtures.contains(need.name.text) else {
                    let help = "pass --fixture \(need.name.text) if the server has it"
                    return (.unmet("needs \(need.text); \(help)"), need)
                }
                values[need.variable] = []
                continue
            }
            guard let dialect = scenario.boundDialect else { continue }
            let server =
                options.endpoint?.description ?? (try? scenario.command(options))??.text
                ?? endpoint.description
            let found = await surveyor.needs([need.offered], of: dialect, by: server) {
                await executor.run($0, options: $1, at: endpoint)
            }
            guard case .met(let found) = found else { return (found, need) }
            values.merge(found) { $1 }
        }
        return (.met(values), nil)
    }
}
