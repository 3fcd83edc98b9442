import LineProtocol
import Results
import Session

/// The entries of a run in execution order: each scenario with each segmentation.
package struct RunPlan: Sendable {
    struct Entry: Sendable {
        var scenario: LoadedScenario
        var segmentation: Segmentation
        /// Position of the entry among the results.
        var position: Int
    }

    /// Entries in execution order.
    var entries: [Entry]

    /// Returns the scenarios in execution order.
    package static func order(
        _ scenarios: [LoadedScenario], _ options: RunOptions
    ) -> [LoadedScenario] {
        var seen: Set<String> = []
        return RunPlan(scenarios, options).entries.map(\.scenario)
            .filter { seen.insert($0.path).inserted }
    }

    /// Returns the number of entries: each scenario with each segmentation.
    package static func count(_ scenarios: [LoadedScenario], _ options: RunOptions) -> Int {
        RunPlan(scenarios, options).entries.count
    }

    init(_ scenarios: [LoadedScenario], _ options: RunOptions) {
        entries = []
        for scenario in scenarios {
            // Scenarios that cannot run or are skipped get a single entry.
            let runs = scenario.program != nil && scenario.skip(on: options.software) == nil
            let segmentations = runs ? options.segmentations : [.whole]
            for segmentation in segmentations {
                entries.append(
                    Entry(scenario: scenario, segmentation: segmentation, position: entries.count))
            }
        }
        if let seed = options.shuffleSeed {
            var random = SeededRandom(seed: seed)
            entries.shuffle(using: &random)
        }
    }
}
