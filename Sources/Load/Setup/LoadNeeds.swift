import Console
import Diagnostics
package import Results
import Runner
import Scenario
import SessionTransport
package import Transport

extension LoadSetup {
    /// Checks the scenarios' `needs` lines, and returns the load test with the values that the
    /// server reports for them.
    ///
    /// - Throws: An error if a scenario does not apply to the server, or if that cannot be decided.
    package func checkingNeeds(at endpoint: Endpoint) async throws(CommandFailure) -> LoadSetup {
        var options = RunOptions(toolVersion: "", startedAt: 0)
        options.endpoint = endpoint
        options.seed = plan.seed
        options.variables = variables
        options.fixtures = fixtures
        let runner = ScenarioRunner(options, executor: SessionDriver(security: security))
        var setup = self
        for scenario in scenarios {
            let (needs, failed) = await runner.needs(of: scenario, at: endpoint)
            switch needs {
            case .met(let values): setup.offers.merge(values) { $1 }
            case .unmet(let reason), .undecided(let reason):
                throw Self.unmet(failed, of: scenario, reason)
            }
        }
        setup.takeOffers()
        return setup
    }

    /// Makes the server's values available to the scenarios as variables.
    mutating func takeOffers() {
        for index in plan.scripts.indices {
            plan.scripts[index].variables.merge(offers) { $1 }
        }
    }

    private static func unmet(
        _ need: Need?, of scenario: LoadedScenario, _ reason: String
    ) -> CommandFailure {
        guard let source = scenario.file?.source, let need else {
            return CommandFailure(.inconclusive, "load.needs", reason)
        }
        return CommandFailure(
            .inconclusive,
            Diagnosed(
                Diagnostic(
                    .error, "load.needs", "the scenario cannot run on this server: it \(reason)",
                    at: DiagnosticLocation(source: source, range: need.name.range))))
    }
}
