import Console
import Diagnostics
import Session
import Synchronization

/// The secrets of all scenarios in a run. Scenarios can share a server, so its output may contain
/// the secrets of any of them.
final class RunSecrets: Sendable {
    private let state = Mutex(SecretMask())

    var mask: SecretMask { state.withLock(\.self) }

    /// Adds the secrets of a plan, and masks them in all output from now on.
    func add(_ plan: RunPlan, _ options: RunOptions) {
        let given = options.variables
        for entry in plan.entries {
            let values = entry.scenario.values(given)
            Self.hide(entry.scenario, with: values, options)
            guard let program = entry.scenario.program else { continue }
            state.withLock { mask in
                for name in given.secrets { mask.add(values[name] ?? []) }
                for secret in program.secrets.values(values, options.environment) {
                    mask.add(secret)
                }
                for literal in program.secrets.literals { mask.learn(literal) }
            }
        }
    }

    /// Masks a scenario's secrets in all output from now on.
    static func hide(
        _ scenario: LoadedScenario, with values: [String: [UInt8]], _ options: RunOptions
    ) {
        let declared = options.variables.secrets.union(scenario.secretNames)
        Redaction.hide(declared.compactMap { values[$0] })
        if let program = scenario.program {
            Redaction.hide(program.secrets.values(values, options.environment))
        }
    }
}
