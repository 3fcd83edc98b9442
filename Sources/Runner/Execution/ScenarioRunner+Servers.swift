import Diagnostics
import Results
import Transport

/// Runs scenarios on servers that Linejudge starts. Scenarios that run at the same time have
/// separate servers, so that they cannot collide by using the same names.
extension ScenarioRunner {
    /// Starts servers and runs all entries on them.
    ///
    /// - Returns: The address of the last server (nil if several ran at the same time), and the
    ///   errors of the servers that could not be started.
    func execute(
        _ run: Run, on command: ServerCommand
    ) async -> (endpoint: Endpoint?, failures: [any Error]) {
        guard command.canRunTwice else {
            do {
                return try await ServerUnderTest.run(command) { server in
                    await execute(run, at: server)
                    return (server.endpoint, [])
                }
            } catch {
                return (nil, [error])
            }
        }
        let count = min(workerCount, max(run.count, 1))
        return await withTaskGroup(of: (Endpoint?, (any Error)?).self) { group in
            for _ in 0..<count { group.addTask { await self.worker(run, command) } }
            var failures: [any Error] = []
            var endpoint: Endpoint?
            for await (found, failure) in group {
                endpoint = found
                if let failure { failures.append(failure) }
            }
            return (count == 1 ? endpoint : nil, failures)
        }
    }

    /// Runs entries on one server after another. A new server is started when the old one has ended
    /// or no longer accepts logins.
    private func worker(
        _ run: Run, _ command: ServerCommand
    ) async -> (Endpoint?, (any Error)?) {
        var begun: (Int, RunPlan.Entry)?
        var refused: Refused?
        var endpoint: Endpoint?
        repeat {
            let (first, earlier) = (begun, refused)
            do {
                let served = try await ServerUnderTest.run(command) { server in
                    (await self.serve(run, first, earlier, at: server), server.endpoint)
                }
                (begun, refused) = (served.0?.entry, served.0)
                endpoint = served.1
            } catch {
                if let earlier, let first { run.finish(first.0, earlier.result, isEnough: false) }
                return (endpoint, error)
            }
        } while begun != nil || run.hasNext
        return (endpoint, nil)
    }

    /// A scenario that could not log in to a server that other scenarios had used, and is run again
    /// on a new server.
    struct Refused: Sendable {
        var entry: (Int, RunPlan.Entry)
        var result: ScenarioResult
        /// Name of the scenario after which logins no longer succeeded.
        var suspect: String
    }

    /// Runs entries until none are left, the server ends, or an entry requires a new server.
    /// Returns that entry, or nil if there is none.
    ///
    /// - Parameters:
    ///   - begun: The entry to start with, whose login another server refused; nil to start with
    ///     the next entry.
    ///   - earlier: The outcome of that login; nil if no login was refused.
    private func serve(
        _ run: Run, _ begun: (Int, RunPlan.Entry)?, _ earlier: Refused?, at server: RunningServer
    ) async -> Refused? {
        let history = ServerHistory()
        var next = begun ?? run.next()
        var earlier = earlier
        while let (index, entry) = next {
            var result = await result(of: entry, at: server, run.schema)
            let suspect = history.note(result)
            if let suspect, !Task.isCancelled {
                return Refused(entry: (index, entry), result: result, suspect: suspect)
            }
            if let refused = earlier {
                result.compare(with: refused)
                earlier = nil
            }
            run.finish(index, result, isEnough: options.isFailFast && result.verdict == .failed)
            if server.earlyEnd != nil { return nil }
            next = run.next()
        }
        return nil
    }
}

extension ScenarioResult {
    /// Adds a note that the scenario could not log in to an earlier server.
    fileprivate mutating func compare(with refused: ScenarioRunner.Refused) {
        guard verdict == .passed else { return }
        var failure = refused.result
        failure.explain(
            "no login succeeded after \(refused.suspect) on the same server; on a new server, "
                + "this scenario passes")
        verdict = .flaky
        reason = "failed after \(refused.suspect) on the same server, passed on a new one"
        diagnostics = failure.diagnostics
        line = failure.line
        attempts += failure.attempts
    }
}
