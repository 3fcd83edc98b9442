import Testing

@testable import Load

/// The variables of a launcher, and the shard derived from them.
private let launchers:
    [(environment: [String: String], text: String, shard: String, source: String)] = [
        (["OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "4"], "auto", "2/4", "Open MPI"),
        (
            [
                "OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "4", "PMI_RANK": "0",
                "PMI_SIZE": "1",
            ],
            "auto/4", "2/4", "Open MPI"
        ),
        (["MV2_COMM_WORLD_RANK": "0", "MV2_COMM_WORLD_SIZE": "1"], "auto", "0/1", "MVAPICH"),
        (["PMI_RANK": "1", "PMI_SIZE": "3"], "auto", "1/3", "PMI"),
        (
            ["SLURM_PROCID": "5", "SLURM_NTASKS": "6", "SLURM_STEP_ID": "0"], "auto", "5/6",
            "a Slurm step"
        ),
        (
            [
                "SLURM_PROCID": "1", "SLURM_NTASKS": "6", "SLURM_STEP_NUM_TASKS": "2",
                "SLURM_STEP_ID": "3",
            ], "auto", "1/2", "a Slurm step"
        ),
        (
            [
                "SLURM_ARRAY_TASK_ID": "14", "SLURM_ARRAY_TASK_COUNT": "3",
                "SLURM_ARRAY_TASK_MIN": "10",
                "SLURM_ARRAY_TASK_STEP": "2", "SLURM_PROCID": "0", "SLURM_NTASKS": "1",
            ], "auto", "2/3", "a Slurm array"
        ),
        (
            [
                "SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "2",
                "SLURM_ARRAY_TASK_MIN": "0",
                "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1", "SLURM_STEP_ID": "0",
                "PMI_RANK": "0", "PMI_SIZE": "1",
            ], "auto", "1/2", "a Slurm array"
        ),
        (["JOB_COMPLETION_INDEX": "7"], "auto/9", "7/9", "an indexed Kubernetes job"),
        (
            ["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "9"], "auto", "0/9",
            "an indexed Kubernetes job"
        ),
    ]

@Test(arguments: launchers.indices)
func aShardFollowsFromWhatTheEngineSays(index: Int) throws {
    let launcher = launchers[index]
    let shard = try Shard(launcher.text, environment: launcher.environment)
    #expect(shard.description == launcher.shard)
    #expect(shard.source == launcher.source)
}

@Test func aShardThatIsTypedCountsMoreThanTheEngine() throws {
    let shard = try Shard(
        "1/3", environment: ["OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "4"])
    #expect(shard.description == "1/3")
    #expect(shard.source == nil)
}

@Test(
    arguments: [
        ("", [:], "expected INDEX/COUNT or auto"), ("1", [:], "expected INDEX/COUNT or auto"),
        ("1/2/3", [:], "expected"), ("-1/3", [:], "expected"), ("a/3", [:], "expected"),
        ("0/0", [:], "expected"), ("0/10001", [:], "expected"), ("auto/x", [:], "expected"),
        ("auto/0", [:], "expected"), ("auto/1/2", [:], "expected"),
        ("99999999999999999999/3", [:], "expected"), ("3/3", [:], "there is no shard 3 of 3"),
        ("auto", [:], "cannot determine which shard this is"),
        ("auto/3", ["SLURM_PROCID": "1", "SLURM_NTASKS": "3"], "cannot determine which"),
        ("auto", ["JOB_COMPLETION_INDEX": "2"], "the number of shards is not set"),
        ("auto/2", ["JOB_COMPLETION_INDEX": "2"], "there is no shard 2 of 2"),
        ("auto", ["PMI_RANK": "x", "PMI_SIZE": "2"], "PMI_RANK is `x`, which is not a number"),
        ("auto", ["PMI_RANK": "1", "PMI_SIZE": ""], "PMI_SIZE is ``, which is not a number"),
        ("auto/4", ["PMI_RANK": "1", "PMI_SIZE": "3"], "auto/4, but PMI_SIZE is 3"),
        ("auto", ["PMI_RANK": "1", "PMI_SIZE": "20000"], "the number must be from 1 to 10000"),
        (
            "auto", ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "3"],
            "there is no shard 7 of 3"
        ),
        (
            "auto",
            [
                "SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_PROCID": "1",
                "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "4",
            ], "an array of steps with several tasks each"
        ),
    ] as [(String, [String: String], String)])
func aShardThatCannotBeIsSaidWithWhatMendsIt(
    text: String, environment: [String: String], words: String
) {
    let failure = #expect(throws: Shard.Failure.self) {
        try Shard(text, environment: environment)
    }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.help.isEmpty == false)
}

@Test func shardsAgreeOnSeedAndRunWithoutAWord() throws {
    let job = ["PMI_SIZE": "3", "PMI_JOBID": "77"]
    let shards = try (0..<3).map {
        try Shard("auto", environment: job.merging(["PMI_RANK": "\($0)"]) { $1 })
    }
    let all = shards.map { $0.agreement(seed: nil, startAt: 5) }
    #expect(all.allSatisfy { $0 == all[0] })
    #expect((1...1_048_575).contains(all[0].run))
    let other = try Shard(
        "auto", environment: ["PMI_RANK": "0", "PMI_SIZE": "3", "PMI_JOBID": "78"])
    #expect(other.agreement(seed: nil, startAt: 5).run != all[0].run)
    #expect(shards[0].agreement(seed: nil, startAt: 6).run != all[0].run)
    #expect(shards[0].agreement(seed: 9, startAt: 5).seed == 9)
}

// MARK: Start times

@Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("@0", 0), ("@1772366400", 1_772_366_400_000_000_000),
    ("2026-03-01T12:00:00Z", 1_772_366_400_000_000_000),
    ("2026-03-01 12:00Z", 1_772_366_400_000_000_000),
    ("2026-03-01T13:00:00+01:00", 1_772_366_400_000_000_000),
    ("2026-03-01T06:30:00-0530", 1_772_366_400_000_000_000),
    ("2026-03-01T12:00:00.25Z", 1_772_366_400_250_000_000),
    ("2024-02-29T23:59:59.999999999Z", 1_709_251_199_999_999_999),
    ("2000-12-31T00:00:00Z", 978_220_800_000_000_000),
])
func aStartTimeIsATimeOfTheWorld(text: String, nanoseconds: Int64) throws {
    #expect(try StartTime(text) { _ in nil } == .at(nanoseconds))
}

@Test func aStartTimeMayCountFromNow() throws {
    #expect(try StartTime("+30s") { $0 == "30s" ? 30 : nil } == .after(30))
}

@Test(arguments: [
    ("soon", "a time such as"), ("", "a time such as"), ("2026-03-01", "a time such as"),
    ("2026-03-01T12:00:00", "with a time zone"), ("2026-02-29T12:00:00Z", "a valid time"),
    ("2026-13-01T12:00:00Z", "a valid time"), ("2026-03-01T24:00:00Z", "a valid time"),
    ("2026-03-00T12:00:00Z", "a valid time"), ("1969-03-01T12:00:00Z", "a valid time"),
    ("@", "after the @"), ("@-5", "after the @"), ("@99999999999", "after the @"),
    ("+soon", "after the +"), ("12:00:00Z", "a time such as"),
])
func whatIsNoStartTimeIsSaid(text: String, words: String) {
    let failure = #expect(throws: StartTime.Failure.self) { try StartTime(text) { _ in nil } }
    #expect(failure?.expected.contains(words) == true, "\(failure?.expected ?? "")")
}
