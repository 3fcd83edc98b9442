import Results

/// Confirming the failures of a run.
extension CheckRunner {
    /// Maximum number of cases, for each job, that run at the same time. Cases of failures spend
    /// most of their time waiting.
    private static let casesPerJob = 2

    /// Confirms failures as planned by ``ConfirmationPlan``.
    ///
    /// - Parameter jobs: Maximum number of failures that are confirmed at the same time.
    func confirmed(
        _ failures: [Failure], _ jobs: Int, _ onEvent: @escaping @Sendable (CheckEvent) -> Void
    ) async -> [CheckResult] {
        let onNewServers = judge.onNewServers
        let plan = ConfirmationPlan(
            failures, jobs: jobs, keepsOrder: options.budget != nil,
            serversMax: onNewServers == nil ? 0 : NewServerExecutor.serversMax)
        let isolated = Confirmation(
            judge: onNewServers ?? judge, options: options, isHurried: isHurried,
            overlaps: isHurried)
        async let isolatedResults = confirmed(plan.isolated, isolated, [:], onEvent)
        // On a server that has been replaced before, one failure may cause others.
        let replaced = judge.server.map { $0.number > 0 } ?? false
        let alone = Confirmation(
            judge: replaced && jobs > 1 ? isolated.judge : judge, options: options,
            isHurried: isHurried)
        var firstRepetitions: [CheckID: CaseOutcome] = [:]
        for failure in plan.observed {
            onEvent(.repeating(failure.check.id))
            firstRepetitions[failure.check.id] = await alone.firstRepetition(failure)
        }
        var results: [CheckResult] = []
        for (index, stage) in plan.stages.enumerated() {
            // The stages after the first measure the server, which other servers would disturb.
            if index == 1 { results += await isolatedResults }
            if stage.isEmpty { continue }
            var confirmation = alone
            if stage.jobs > 1 {
                // The server's state cannot be attributed to one of several cases.
                confirmation.judge.watch = nil
                confirmation.judge.executor = LimitedExecutor(
                    alone.judge.executor, casesMax: stage.jobs * (isHurried ? Self.casesPerJob : 1))
                // Cases at the same time would compete for the throttle of a server that has one.
                confirmation.overlaps = stage.overlaps && isHurried
            }
            results += await confirmed(stage, confirmation, firstRepetitions, onEvent)
        }
        return results
    }

    private func confirmed(
        _ stage: ConfirmationPlan.Stage, _ confirmation: Confirmation,
        _ firstRepetitions: [CheckID: CaseOutcome],
        _ onEvent: @escaping @Sendable (CheckEvent) -> Void
    ) async -> [CheckResult] {
        // Failures of a server that does not throttle clients spend most of their time waiting, and
        // the executor limits the cases.
        let most = stage.jobs * (confirmation.overlaps ? Self.casesPerJob : 1)
        let failures =
            stage.firsts.map { (failure: $0, isFull: true) }
            + stage.others.map { (failure: $0, isFull: false) }
        return await withTaskGroup(of: CheckResult.self) { group in
            var results: [CheckResult] = []
            for (index, (failure, isFull)) in failures.enumerated() {
                if index >= most, let result = await group.next() { results.append(result) }
                let id = failure.check.id
                onEvent(.repeating(id))
                group.addTask {
                    let result =
                        isFull
                        ? await confirmation.confirmed(failure, first: firstRepetitions[id])
                        : await confirmation.repeated(failure)
                    onEvent(.confirmed(result))
                    return result
                }
            }
            for await result in group { results.append(result) }
            return results
        }
    }
}
