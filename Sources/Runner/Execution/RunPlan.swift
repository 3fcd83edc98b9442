import LineProtocol
import Results
import Session

/// The entries of a run, in execution order. There is one entry for each combination of scenario,
/// data row and segmentation.
package struct RunPlan: Sendable {
    /// One run of a scenario, with a data row and a segmentation.
    struct Entry: Sendable {
        var scenario: LoadedScenario
        var segmentation: Segmentation
        /// Index of the entry's result among all results.
        var position: Int
    }

    /// Entries in execution order.
    var entries: [Entry]

    /// Returns each scenario once, in execution order.
    package static func order(
        _ scenarios: [LoadedScenario], _ options: RunOptions
    ) -> [LoadedScenario] {
        var left = Dictionary(
            scenarios.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        return RunPlan(scenarios, options).entries.compactMap {
            left.removeValue(forKey: $0.scenario.path)
        }
    }

    /// Returns the number of entries for the scenarios.
    package static func count(_ scenarios: [LoadedScenario], _ options: RunOptions) -> Int {
        RunPlan(scenarios, options).entries.count
    }

    init(_ scenarios: [LoadedScenario], _ options: RunOptions) {
        entries = []
        for scenario in scenarios {
            // A scenario that cannot run or is skipped has only one entry.
            let runs = scenario.program != nil && scenario.skip(on: options.software) == nil
            let segmentations = runs ? options.segmentations : [.whole]
            let secrets = options.variables.secrets
            let rows = (runs ? scenario.rows : nil)?.map {
                scenario.with($0, secrets: secrets)
            }
            for scenario in rows ?? [scenario] {
                for segmentation in segmentations {
                    entries.append(
                        Entry(
                            scenario: scenario, segmentation: segmentation,
                            position: entries.count))
                }
            }
        }
        if let seed = options.shuffleSeed {
            var random = SeededRandom(seed: seed)
            entries.shuffle(using: &random)
        }
    }
}
