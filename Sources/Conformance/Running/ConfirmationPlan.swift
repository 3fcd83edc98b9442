/// The order in which failures are confirmed. The first failure of each cause is confirmed in full,
/// the others are repeated once.
struct ConfirmationPlan {
    /// Maximum number of distinct causes whose failures are observed, or confirmed, one at a time.
    static let aloneMax = 3

    /// Failures that are confirmed at the same time.
    struct Stage {
        /// Failures to confirm in full.
        var firsts: [Failure] = []
        /// Failures to repeat once.
        var others: [Failure] = []
        /// Maximum number of failures to confirm at the same time. If it is 1, the server is
        /// observed.
        var jobs: Int
        /// True if the repetitions of each failure run at the same time, and while it is shrunk and
        /// written as a scenario. Failures that may disturb others are not shrunk at the same time.
        var overlaps = false

        var isEmpty: Bool { firsts.isEmpty && others.isEmpty }

        init(firsts: [Failure] = [], others: [Failure] = [], jobs: Int, overlaps: Bool = false) {
            self.firsts = firsts
            self.others = others
            self.jobs = jobs
            self.overlaps = overlaps
        }

        /// Creates a stage that confirms the first failure of each cause in full.
        init(_ failures: [Failure], jobs: Int, overlaps: Bool = false) {
            self.init(jobs: jobs, overlaps: overlaps)
            var causes: Set<Failure.Cause> = []
            for failure in failures {
                if causes.insert(failure.cause).inserted {
                    firsts.append(failure)
                } else {
                    others.append(failure)
                }
            }
        }
    }

    /// Failures whose first repetition runs alone before the first stage, so that the server can be
    /// observed. The first stage contains them as well.
    private(set) var observed: [Failure] = []
    private(set) var stages: [Stage] = []
    /// Failures whose cases each run on a new server, at the same time as the first stage. There are
    /// none if there is only one stage.
    private(set) var isolated = Stage(jobs: 1)

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - jobs: Maximum number of checks that run at the same time.
    ///   - keepsOrder: Whether the failures are sorted by importance, because the time may not
    ///     suffice for all of them. Otherwise, slow ones come first, so that the run ends early.
    ///   - serversMax: Maximum number of new servers for cases that may disturb others; 0 if none
    ///     can be started.
    init(_ failures: [Failure], jobs: Int, keepsOrder: Bool = false, serversMax: Int = 0) {
        guard jobs > 1 else {
            stages = [Stage(failures, jobs: jobs)]
            return
        }
        let canIsolate = serversMax > 0
        isolated = Stage(
            failures.filter { canIsolate && $0.isIsolable }, jobs: serversMax, overlaps: true)
        let all = Stage(failures.filter { !canIsolate || !$0.isIsolable }, jobs: jobs)
        var plain = Stage(jobs: jobs, overlaps: true)
        func sorted(_ failures: [Failure]) -> [Failure] {
            let plain = failures.filter { !$0.isDisturbing }
            return keepsOrder ? plain : plain.sorted { $0.duration > $1.duration }
        }
        plain.firsts = sorted(all.firsts)
        plain.others = sorted(all.others)
        if plain.firsts.count <= Self.aloneMax { observed = plain.firsts }
        // A failure that may disturb other cases comes last. If there are few such causes, their
        // failures are confirmed one after another.
        let disturbing = all.firsts.filter(\.isDisturbing)
        let areFew = disturbing.count <= Self.aloneMax
        let alone = Stage(firsts: areFew ? disturbing : [], jobs: 1)
        let rest = Stage(
            firsts: areFew ? [] : disturbing, others: all.others.filter(\.isDisturbing),
            jobs: jobs, overlaps: areFew)
        stages = [plain, alone, rest]
    }
}
