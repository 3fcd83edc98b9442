import AllocationCount
import CReference

/// One thing that is measured: it does its work so many times and says how many operations, such as lines,
/// that were.
package struct Workload {
    package var name: String
    /// The workload whose time this one's is divided by.
    package var reference: String
    package var run: (_ passes: Int) -> Int

    package init(
        name: String, reference: String, run: @escaping (_ passes: Int) -> Int
    ) {
        self.name = name
        self.reference = reference
        self.run = run
    }
}

/// What came of measuring a workload.
package struct Measurement {
    package var name: String
    package var reference: String
    /// Nanoseconds of CPU time per operation, one for each round, sorted.
    package var rounds: [Double]
    /// The ratio to the reference of the same round, sorted.
    package var ratios: [Double]
    package var allocationsPerOperation: Double

    package var median: Double { rounds[rounds.count / 2] }
    package var ratio: Double { ratios[ratios.count / 2] }
}

package enum Bench {
    /// How much CPU time one round of one workload takes, in nanoseconds.
    static let roundNanoseconds: UInt64 = 20_000_000
    package static let roundCount = 41

    /// Measures the workloads in turns, so that what disturbs the machine disturbs all of them.
    package static func measure(_ workloads: [Workload]) -> [Measurement] {
        let passes = workloads.map(passesPerRound)
        var times = workloads.map { _ in [Double]() }
        for _ in 0..<roundCount {
            for (place, workload) in workloads.enumerated() {
                times[place].append(nanosecondsPerOperation(workload, passes[place]))
            }
        }
        return workloads.indices.map { place in
            let reference =
                workloads.firstIndex { $0.name == workloads[place].reference } ?? place
            let ratios = zip(times[place], times[reference]).map { $0 / $1 }
            return Measurement(
                name: workloads[place].name, reference: workloads[place].reference,
                rounds: times[place].sorted(), ratios: ratios.sorted(),
                allocationsPerOperation: allocationsPerOperation(workloads[place], passes[place]))
        }
    }

    /// Warms the workload up and finds out how often it fits into a round.
    private static func passesPerRound(_ workload: Workload) -> Int {
        let start = c_reference_cpu_nanoseconds()
        var passes = 0
        while c_reference_cpu_nanoseconds() - start < roundNanoseconds {
            // What is slow is not done ten times to find out.
            let more = passes == 0 ? 1 : 10
            _ = workload.run(more)
            passes += more
        }
        return max(1, passes)
    }

    private static func nanosecondsPerOperation(_ workload: Workload, _ passes: Int) -> Double {
        let start = c_reference_cpu_nanoseconds()
        let operations = workload.run(passes)
        return Double(c_reference_cpu_nanoseconds() - start) / Double(operations)
    }

    /// What `passes` passes allocate beyond a tenth of them: the first operations, which make room, count
    /// in neither.
    private static func allocationsPerOperation(_ workload: Workload, _ passes: Int) -> Double {
        func allocations(_ passes: Int) -> (count: Int, operations: Int) {
            let before = allocation_count()
            let operations = workload.run(passes)
            return (allocation_count() - before, operations)
        }
        let few = allocations(max(1, passes / 10))
        let many = allocations(max(1, passes / 10) + passes)
        return Double(many.count - few.count) / Double(many.operations - few.operations)
    }
}
