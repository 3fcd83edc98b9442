import Session

/// What is played, in which order: each scenario with each segmentation.
public struct RunPlan: Sendable {
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
    public static func order(
        _ scenarios: [LoadedScenario], _ options: RunOptions
    ) -> [LoadedScenario] {
        var seen: Set<String> = []
        return RunPlan(scenarios, options).entries.map(\.scenario)
            .filter { seen.insert($0.path).inserted }
    }

    /// How many plays a run has: each scenario with each segmentation.
    public static func count(_ scenarios: [LoadedScenario], _ options: RunOptions) -> Int {
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
            var random = SplitMix(seed)
            entries.shuffle(using: &random)
        }
    }
}

/// A small generator whose numbers are the same on every machine and in every version (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A seed for a part of a run: the same for the same part, and another for another, whatever is
    /// played beside it.
    static func seed(_ run: UInt64, _ parts: [String]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in parts.joined(separator: "\0").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        var random = SplitMix(run ^ hash)
        return random.next()
    }
}
