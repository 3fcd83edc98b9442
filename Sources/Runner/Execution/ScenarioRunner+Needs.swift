import DialectModel
package import Scenario
package import Transport

/// Handling of `needs` lines, which state what the server must support for a scenario to apply.
extension ScenarioRunner {
    /// Returns whether the server supports everything that the scenario needs.
    func needs(of scenario: LoadedScenario, at endpoint: Endpoint) async -> ServerNeeds {
        var values: [String: [UInt8]] = [:]
        for need in scenario.file?.header.needs ?? [] {
            let found = await self.need(need, of: scenario, at: endpoint)
            guard case .met(let given) = found else { return found }
            values.merge(given) { $1 }
        }
        return .met(values)
    }

    /// Returns whether the server supports one of the things that the scenario needs.
    package func need(
        _ need: Need, of scenario: LoadedScenario, at endpoint: Endpoint
    ) async -> ServerNeeds {
        if need.isFixture {
            return options.fixtures.contains(need.name.text)
                ? .met([need.variable: []])
                : .unmet(
                    "needs \(need.text); pass --fixture \(need.name.text) if the server has it")
        }
        guard let dialect = scenario.boundDialect else { return .met([:]) }
        let server =
            options.endpoint?.description ?? (try? scenario.command(options))??.text
            ?? endpoint.description
        return await surveyor.needs([need.offered], of: dialect, by: server) {
            await executor.run($0, options: $1, at: endpoint)
        }
    }
}
