import Console
import Diagnostics
import Results
import Session
import SessionTransport
import Transport

/// Determines whether a login was refused because another client uses the name. On a server that
/// Linejudge did not start, that is often a session that an earlier run left behind.
extension ScenarioRunner {
    /// Runs a scenario again under other names if its login was refused. If the login then
    /// succeeds, adds a note to the outcome that the name is taken.
    ///
    /// If a login fails under other names too, no later scenario is run again for this reason.
    ///
    /// - Parameter again: Function that runs a program with the given variable values.
    func explainingTakenNames(
        _ outcome: SessionOutcome, of entry: RunPlan.Entry,
        again: (Program, [String: [UInt8]]) async -> SessionOutcome
    ) async -> SessionOutcome {
        guard options.endpoint != nil, !areOtherNamesRefused.isSet, !Task.isCancelled,
            outcome.result.diagnostic?.code == .refused,
            isInDialect(outcome, entry), let program = entry.scenario.program,
            let dialect = entry.scenario.boundDialect
        else { return outcome }
        let renamed = RenamedProgram(program, dialect: dialect, keepsLength: true)
        let names = renamed.values(nameNumber(of: entry, attempt: RunOptions.retriesMax))
        guard !names.isEmpty else { return outcome }
        let other = await again(renamed.program, names)
        guard !other.isUnreachable, !isInDialect(other, entry) else {
            areOtherNamesRefused.set()
            return outcome
        }
        var explained = outcome
        var diagnostic = outcome.result.diagnostic
        diagnostic?.code = .nameTaken
        explained.result.diagnostic = diagnostic?.note(
            "the login succeeds under another name: another client has this name, or an earlier "
                + "run has left a session"
        ).help("restart the server, or make the name different in each run with {{nonce}}")
        return explained
    }

    /// Returns true if the deciding step is in a behaviour of the dialect, such as its login.
    private func isInDialect(_ outcome: SessionOutcome, _ entry: RunPlan.Entry) -> Bool {
        guard let path = outcome.result.diagnostic?.location?.source.path else { return false }
        return path == entry.scenario.dialectFile
    }
}
