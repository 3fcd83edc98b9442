package import Diagnostics
import DialectFiles
package import Results
import Scenario
import Transport

/// The scenarios in a run.
package struct SelectedScenarios: Sendable {
    package var scenarios: [LoadedScenario]
    /// Notes about the assumed dialect and omitted scenarios.
    package var notes: [Diagnostic] = []
}

extension RunSetup {
    /// Loads the selected scenarios. Scenarios in dialects other than the server's are left out.
    ///
    /// - Parameter usesBuiltIn: Whether to run scenarios without a dialect in the reference server's
    ///   dialect.
    package func scenarios(
        _ words: [String], usesBuiltIn: Bool
    ) throws(CommandFailure) -> SelectedScenarios {
        var loader = loader
        if usesBuiltIn { loader.dialectDefault = DialectLibrary.builtInServerDialect }
        let selected: [LoadedScenario]
        do {
            let loaded = try ScenarioFinder.find(words).map { loader.load($0) }
            // Omit files that only define fragments for other scenarios to include, unless there is
            // nothing else.
            let own = loaded.filter { $0.file?.hasOnlyFragments != true }
            selected = try selection.apply(to: own.isEmpty ? loaded : own)
        } catch {
            throw CommandFailure(.noInput, Diagnosed(error.diagnostic))
        }
        if usesBuiltIn {
            let note = assumedDialect(of: selected)
            return SelectedScenarios(scenarios: selected, notes: [note].compactMap(\.self))
        }
        do {
            let fitting = try ServerDialect(selected, speaking: options.endpoint?.dialect)
            return SelectedScenarios(
                scenarios: fitting.scenarios, notes: [fitting.note].compactMap(\.self))
        } catch {
            throw CommandFailure(.usage, .badOption, error.message, help: error.help)
        }
    }

    /// Returns a note about the dialect assumed for scenarios that do not specify one; nil if all
    /// of them do.
    private func assumedDialect(of scenarios: [LoadedScenario]) -> Diagnostic? {
        let unnamed = scenarios.filter { $0.file != nil && $0.file?.header.dialect == nil }
        guard let first = unnamed.first, loader.dialectOverride == nil else { return nil }
        let path = escapedForDisplay(first.path)
        let who = unnamed.count == 1 ? path : "\(path) and \(unnamed.count - 1) more"
        return Diagnostic(
            .note, "run.assumed-dialect",
            "no dialect specified in \(who); assuming \(DialectLibrary.builtInServerDialect)"
        ).help(DialectLibrary.adviceForScenario)
    }
}
