import LineProtocol
import Results
import Session

/// The entries of a run in execution order. There is one entry for each combination of scenario,
/// row and segmentation.
package struct RunPlan: Sendable {
    struct Entry: Sendable {
        var scenario: LoadedScenario
        var segmentation: Segmentation
        /// Index of the entry among the results.
        var position: Int
    }

    /// Entries in execution order.
    var entries: [Entry]

    /// Returns the scenarios in execution order, each of them once.
    package static func order(
        _ scenarios: [LoadedScenario], _ options: RunOptions
    ) -> [LoadedScenario] {
        var left = Dictionary(
            scenarios.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        return RunPlan(scenarios, options).entries.compactMap {
            left.removeValue(forKey: $0.scenario.path)
        }
    }

    /// Returns the number of entries.
    package static func count(_ scenarios: [LoadedScenario], _ options: RunOptions) -> Int {
        RunPlan(scenarios, options).entries.count
    }

    init(_ scenarios: [LoadedScenario], _ options: RunOptions) {
        entries = []
        for scenario in scenarios {
            // A scenario that cannot run or that is skipped gets a single entry.
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
