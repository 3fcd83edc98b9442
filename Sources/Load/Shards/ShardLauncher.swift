/// Shard detection from environment variables set by launchers (such as Slurm) that start several
/// instances of a program.
enum ShardLauncher {
    /// The environment variables of one launcher.
    private struct Source {
        var name: String
        var index: String
        /// Variables for the number of shards. The first one set is used.
        var counts: [String]
        /// Variable for the first index; nil if indices start at 0.
        var first: String?
        var step: String?
        /// Variable that must also be set for the launcher to be detected; nil if there is none.
        var needs: String?
        /// Variables that identify the job.
        var job: [String] = []

        var isSlurm: Bool { index.hasPrefix("SLURM_") }
    }

    /// Supported launchers, innermost first. Earlier ones take precedence.
    private static let sources = [
        Source(
            name: "Open MPI", index: "OMPI_COMM_WORLD_RANK", counts: ["OMPI_COMM_WORLD_SIZE"],
            job: ["PMIX_NAMESPACE"]),
        Source(
            name: "MVAPICH", index: "MV2_COMM_WORLD_RANK", counts: ["MV2_COMM_WORLD_SIZE"]),
        Source(
            name: "PMI", index: "PMI_RANK", counts: ["PMI_SIZE"],
            job: ["PMI_JOBID", "SLURM_JOB_ID"]),
        // Slurm also sets these variables for scripts run by `sbatch`, which are not steps.
        Source(
            name: "a Slurm step", index: "SLURM_PROCID",
            counts: ["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"], needs: "SLURM_STEP_ID",
            job: ["SLURM_JOB_ID", "SLURM_STEP_ID"]),
        Source(
            name: "a Slurm array", index: "SLURM_ARRAY_TASK_ID",
            counts: ["SLURM_ARRAY_TASK_COUNT"], first: "SLURM_ARRAY_TASK_MIN",
            step: "SLURM_ARRAY_TASK_STEP", job: ["SLURM_ARRAY_JOB_ID"]),
        Source(
            name: "an indexed Kubernetes job", index: "JOB_COMPLETION_INDEX",
            counts: ["JOB_COMPLETIONS"], job: ["JOB_UID"]),
    ]

    /// Detects the shard from the environment. `count` is the number of shards, if given
    /// explicitly.
    static func shard(
        _ environment: [String: String], count: Int?
    ) throws(Shard.Failure) -> Shard {
        let found = sources.filter { source in
            environment[source.index] != nil
                && source.needs.map { environment[$0] != nil } ?? true
        }
        guard let source = chosen(found, environment) else {
            throw Shard.Failure(
                message: "--shard auto: cannot determine which shard this is",
                help:
                    "supported launchers are Open MPI, MVAPICH, PMI, Slurm and indexed Kubernetes jobs; elsewhere, write "
                    + "--shard 0/3")
        }
        if found.count(where: \.isSlurm) == 2, source.isSlurm, tasks(environment) > 1 {
            throw Shard.Failure(
                message:
                    "--shard auto: Slurm has started an array of steps with several tasks each",
                help: "use one task per array element (--ntasks=1), or no array")
        }
        return try shard(source, environment, count)
    }

    /// Chooses the launcher that determines the shard; nil if none was found. A Slurm array takes
    /// precedence over a step with a single task.
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
            let given = try number(variable, environment)
            if let typed, typed != given {
                throw Shard.Failure(
                    message: "--shard auto/\(typed), but \(variable) is \(given)",
                    help: "write --shard auto")
            }
            count = given
        }
        guard let count else {
            throw Shard.Failure(
                message:
                    "--shard auto: \(source.index) is \(index), but the number of shards is not set",
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
                message: "--shard auto: \(variable) is `\(text.prefix(80))`, which is not a number",
                help: "set the shard explicitly: --shard 0/3")
        }
        return number
    }
}
