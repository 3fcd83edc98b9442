import LineProtocol
import Results
import Session

/// What is played, in which order: each scenario with each segmentation.
package struct RunPlan: Sendable {
    /// One entry of the plan.
    struct Entry: Sendable {
        var scenario: LoadedScenario
        var segmentation: Segmentation
        /// Its place among the results.
        var place: Int
    }

    /// The entries in the order in which they are begun.
    var entries: [Entry]

    /// The scenarios in the order in which they are begun first.
    package static func order(
        _ scenarios: [LoadedScenario], _ options: RunOptions
    ) -> [LoadedScenario] {
        var seen: Set<String> = []
        return RunPlan(scenarios, options).entries.map(\.scenario)
            .filter { seen.insert($0.path).inserted }
    }

    /// How many plays a run has: each scenario with each segmentation.
    package static func count(_ scenarios: [LoadedScenario], _ options: RunOptions) -> Int {
        RunPlan(scenarios, options).entries.count
    }

    init(_ scenarios: [LoadedScenario], _ options: RunOptions) {
        entries = []
        for scenario in scenarios {
            // What cannot be played, and what is skipped, is said once.
            let isPlayed = scenario.program != nil && scenario.skip(on: options.software) == nil
            let segmentations = isPlayed ? options.segmentations : [.whole]
            for segmentation in segmentations {
                entries.append(
                    Entry(scenario: scenario, segmentation: segmentation, place: entries.count))
            }
        }
        if let seed = options.shuffleSeed {
            var random = SeededRandom(seed: seed)
            entries.shuffle(using: &random)
        }
    }
}
