/// What engines that start a program many times tell each of them.
enum ShardEngine {
    /// Variables from which a shard follows.
    private struct Source {
        var name: String
        var index: String
        /// The first of these that is set.
        var counts: [String]
        /// What the first index is, and how far the next one is away.
        var first: String?
        var step: String?
        /// A variable without which the others mean something else.
        var needs: String?
        /// What all of a job have in common.
        var job: [String] = []
    }

    /// In the order in which they are asked: who starts last is meant.
    private static let sources = [
        Source(
            name: "Open MPI", index: "OMPI_COMM_WORLD_RANK", counts: ["OMPI_COMM_WORLD_SIZE"],
            job: ["PMIX_NAMESPACE"]),
        Source(
            name: "MVAPICH", index: "MV2_COMM_WORLD_RANK", counts: ["MV2_COMM_WORLD_SIZE"]),
        Source(
            name: "PMI", index: "PMI_RANK", counts: ["PMI_SIZE"],
            job: ["PMI_JOBID", "SLURM_JOB_ID"]),
        // A script that sbatch runs has these variables, too, and is no step.
        Source(
            name: "a step of Slurm", index: "SLURM_PROCID",
            counts: ["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"], needs: "SLURM_STEP_ID",
            job: ["SLURM_JOB_ID", "SLURM_STEP_ID"]),
        Source(
            name: "an array of Slurm", index: "SLURM_ARRAY_TASK_ID",
            counts: ["SLURM_ARRAY_TASK_COUNT"], first: "SLURM_ARRAY_TASK_MIN",
            step: "SLURM_ARRAY_TASK_STEP", job: ["SLURM_ARRAY_JOB_ID"]),
        Source(
            name: "an indexed job of Kubernetes", index: "JOB_COMPLETION_INDEX",
            counts: ["JOB_COMPLETIONS"], job: ["JOB_UID"]),
    ]

    /// The shard that the environment names. `count` is what was typed.
    static func shard(
        _ environment: [String: String], count: Int?
    ) throws(Shard.Failure) -> Shard {
        let found = sources.filter { source in
            environment[source.index] != nil
                && source.needs.map { environment[$0] != nil } ?? true
        }
        guard let source = chosen(found, environment) else {
            throw Shard.Failure(
                message: "--shard auto: nothing here says which shard this is",
                help:
                    "it knows Open MPI, PMI, Slurm and indexed jobs of Kubernetes; elsewhere write "
                    + "--shard 0/3")
        }
        if found.count(where: { $0.name.hasSuffix("Slurm") }) == 2, source.name.hasSuffix("Slurm"),
            tasks(environment) > 1
        {
            throw Shard.Failure(
                message:
                    "--shard auto: Slurm has started an array of steps with several tasks each",
                help: "have one task in each element of the array (--ntasks=1), or no array")
        }
        return try shard(source, environment, count)
    }

    /// A step of one task within an array is no more than its place in the array.
    private static func chosen(
        _ found: [Source], _ environment: [String: String]
    ) -> Source? {
        let isArray = found.contains { $0.index == "SLURM_ARRAY_TASK_ID" }
        if isArray, tasks(environment) == 1 {
            return found.first { !["SLURM_PROCID", "PMI_RANK"].contains($0.index) }
        }
        return found.first
    }

    private static func tasks(_ environment: [String: String]) -> Int {
        let text = environment["SLURM_STEP_NUM_TASKS"] ?? environment["SLURM_NTASKS"]
        return text.flatMap(Shard.number) ?? 1
    }

    private static func shard(
        _ source: Source, _ environment: [String: String], _ typed: Int?
    ) throws(Shard.Failure) -> Shard {
        var index = try number(source.index, environment)
        if let first = source.first, environment[first] != nil {
            index -= try number(first, environment)
        }
        if let step = source.step, environment[step] != nil {
            let step = max(try number(step, environment), 1)
            index = index % step == 0 ? index / step : -1
        }
        var count = typed
        if let variable = source.counts.first(where: { environment[$0] != nil }) {
            let told = try number(variable, environment)
            if let typed, typed != told {
                throw Shard.Failure(
                    message: "--shard auto/\(typed), but \(variable) is \(told)",
                    help: "write --shard auto")
            }
            count = told
        }
        guard let count else {
            throw Shard.Failure(
                message:
                    "--shard auto: \(source.index) is \(index), but how many there are is not said",
                help: "write --shard auto/COUNT, or set \(source.counts[0])")
        }
        let job = source.job.compactMap { environment[$0] }.joined(separator: ".")
        return Shard(
            try Shard.checked(index, count, source.index), source: source.name,
            job: job.isEmpty ? nil : job)
    }

    private static func number(
        _ variable: String, _ environment: [String: String]
    ) throws(Shard.Failure) -> Int {
        let text = environment[variable] ?? ""
        guard let number = Shard.number(text) else {
            throw Shard.Failure(
                message: "--shard auto: \(variable) is `\(text.prefix(80))`, which is no number",
                help: "write the shard out: --shard 0/3")
        }
        return number
    }
}
