import AllocationCount
import CReference

/// One thing that is measured: it works through a corpus so many times and says how many lines it saw.
struct Workload {
    var name: String
    /// The workload whose time this one's is divided by.
    var reference: String
    var run: (_ passes: Int) -> Int
}

/// What came of measuring a workload.
struct Measurement {
    var name: String
    var reference: String
    /// Nanoseconds of CPU time per line, one for each round, sorted.
    var rounds: [Double]
    /// The ratio to the reference of the same round, sorted.
    var ratios: [Double]
    var allocationsPerLine: Double

    var median: Double { rounds[rounds.count / 2] }
    var ratio: Double { ratios[ratios.count / 2] }
}

enum Bench {
    /// How much CPU time one round of one workload takes, in nanoseconds.
    static let roundNanoseconds: UInt64 = 20_000_000
    static let roundCount = 41

    /// Measures the workloads in turns, so that what disturbs the machine disturbs all of them.
    static func measure(_ workloads: [Workload]) -> [Measurement] {
        let passes = workloads.map(passesPerRound)
        var times = workloads.map { _ in [Double]() }
        for _ in 0..<roundCount {
            for (place, workload) in workloads.enumerated() {
                times[place].append(nanosecondsPerLine(workload, passes[place]))
            }
        }
        return workloads.indices.map { place in
            let reference =
                workloads.firstIndex { $0.name == workloads[place].reference } ?? place
            let ratios = zip(times[place], times[reference]).map { $0 / $1 }
            return Measurement(
                name: workloads[place].name, reference: workloads[place].reference,
                rounds: times[place].sorted(), ratios: ratios.sorted(),
                allocationsPerLine: allocationsPerLine(workloads[place], passes[place]))
        }
    }

    /// Warms the workload up and finds out how often it fits into a round.
    private static func passesPerRound(_ workload: Workload) -> Int {
        let start = c_reference_cpu_nanoseconds()
        var passes = 0
        while c_reference_cpu_nanoseconds() - start < roundNanoseconds {
            _ = workload.run(10)
            passes += 10
        }
        return max(1, passes)
    }

    private static func nanosecondsPerLine(_ workload: Workload, _ passes: Int) -> Double {
        let start = c_reference_cpu_nanoseconds()
        let lines = workload.run(passes)
        return Double(c_reference_cpu_nanoseconds() - start) / Double(lines)
    }

    /// What `passes` passes allocate beyond a tenth of them: the first lines, which make room, count in
    /// neither.
    private static func allocationsPerLine(_ workload: Workload, _ passes: Int) -> Double {
        func allocations(_ passes: Int) -> (count: Int, lines: Int) {
            let before = allocation_count()
            let lines = workload.run(passes)
            return (allocation_count() - before, lines)
        }
        let few = allocations(max(1, passes / 10))
        let many = allocations(max(1, passes / 10) + passes)
        return Double(many.count - few.count) / Double(many.lines - few.lines)
    }
}
