import AllocationCount
import CReference

/// A workload to measure. `run` repeats it the given number of times and returns the number of operations,
/// such as lines.
package struct Workload {
    package var name: String
    /// Name of the workload to compare with.
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

/// Result of measuring a workload.
package struct Measurement {
    package var name: String
    package var reference: String
    /// Nanoseconds of CPU time per operation in each round, sorted.
    package var rounds: [Double]
    /// The ratio to the reference of the same round, sorted.
    package var ratios: [Double]
    package var allocationsPerOperation: Double

    package var median: Double { rounds[rounds.count / 2] }
    package var ratio: Double { ratios[ratios.count / 2] }
}

package enum Bench {
    /// CPU time of one round of one workload.
    static let roundNanoseconds: UInt64 = 20_000_000
    package static let roundCount = 41

    /// Measures the workloads in turn, so that other activity on the machine affects all of them.
    package static func measure(_ workloads: [Workload]) -> [Measurement] {
        let passes = workloads.map(passesPerRound)
        var times = workloads.map { _ in [Double]() }
        for _ in 0..<roundCount {
            for (index, workload) in workloads.enumerated() {
                times[index].append(nanosecondsPerOperation(workload, passes[index]))
            }
        }
        return workloads.indices.map { index in
            let reference =
                workloads.firstIndex { $0.name == workloads[index].reference } ?? index
            let ratios = zip(times[index], times[reference]).map { $0 / $1 }
            return Measurement(
                name: workloads[index].name, reference: workloads[index].reference,
                rounds: times[index].sorted(), ratios: ratios.sorted(),
                allocationsPerOperation: allocationsPerOperation(workloads[index], passes[index]))
        }
    }

    /// Warms up the workload and returns the number of passes that fit into a round.
    private static func passesPerRound(_ workload: Workload) -> Int {
        let start = c_reference_cpu_nanoseconds()
        var passes = 0
        while c_reference_cpu_nanoseconds() - start < roundNanoseconds {
            // Run slow workloads only once.
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

    /// Allocations per operation, excluding those of the first operations, which grow buffers.
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
