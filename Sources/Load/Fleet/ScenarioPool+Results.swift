import Diagnostics
import LineProtocol
import Results
import Session

/// Records the results of scenario runs.
extension ScenarioPool {
    /// Records the latencies of expectations met since the last call.
    func record(_ group: VirtualUser, _ index: Int) {
        guard let times = group.session?.takeStepTimes(), !times.isEmpty else { return }
        guard phases?.isMeasured(group.intended) == true else { return }
        // If a run starts late, all its steps are late by the same amount.
        let late = group.started - group.intended
        for time in times {
            met += 1
            recorder.record(.step, intended: time.sent - late, sent: time.sent, over: time.arrived)
            note(time, late, group.script)
        }
    }

    private func note(_ time: StepTime, _ late: Int64, _ script: Int) {
        let location = StepLocation(time, of: scripts[script].program.program)
        if tallies[script].steps[location] == nil,
            tallies[script].steps.count >= LoadResults.stepsMax
        {
            return
        }
        let service = time.arrived - time.sent
        tallies[script].steps[location, default: ScenarioTally.StepTimes()].service.record(service)
        tallies[script].steps[location, default: ScenarioTally.StepTimes()].response
            .record(service + late)
    }

    /// Handles a finished run.
    func finish(_ group: VirtualUser, _ index: Int, _ result: ScenarioOutcome, at now: Int64) {
        active -= 1
        group.alarm = .max
        group.freeSince = now
        schema?.note(result.transcript, of: scripts[group.script].path)
        switch result.outcome {
        case .passed:
            tallies[group.script].passed += 1
            if phases?.isMeasured(group.intended) == true {
                tallies[group.script].response.record(now - group.intended)
                tallies[group.script].service.record(now - group.started)
                recorder.record(
                    .iteration, intended: group.intended, sent: group.started, over: now)
            }
        case .failed: fail(group, result, at: now)
        case .inconclusive:
            tallies[group.script].undecided += 1
            let reason = result.diagnostic?.message ?? "no verdict was possible"
            if tallies[group.script].reasons.count < LoadResults.evidenceMax,
                !tallies[group.script].reasons.contains(reason)
            {
                tallies[group.script].reasons.append(reason)
            }
        }
        goOn(group, index, at: now)
    }

    private func goOn(_ group: VirtualUser, _ index: Int, at now: Int64) {
        switch plan.model {
        case .open: free[group.script].append(index)
        case .closed(let usual):
            guard let phases, now < phases.end else { return }
            let elapsed = now - phases.measureStart
            let stage = plan.thinks.first { elapsed < $0.end }?.think
            let think = scripts[group.script].think ?? stage ?? usual
            setAlarm(index, now + think.draw(&random))
        }
    }

    /// Records a failed run, with the failed step, the reason and the last received line.
    private func fail(_ group: VirtualUser, _ result: ScenarioOutcome, at now: Int64) {
        tallies[group.script].failed += 1
        if let line = result.line { tallies[group.script].failures[line, default: 0] += 1 }
        violations.add(.unmet) {
            let script = scripts[group.script]
            let location = result.line.map { "\(script.path):\($0): " } ?? "\(script.path): "
            let last = result.transcript.last { $0.kind == .received }
            return Violation(
                .unmet, location + (result.diagnostic?.message ?? "an expectation was not met"),
                line: Array((last?.bytes ?? []).prefix(ViolationList.lineBytesMax)),
                time: phases.map { now - $0.start } ?? 0)
        }
    }

    /// Interrupts the runs in progress.
    func interrupt(at now: Int64) {
        countUnsent()
        for (index, group) in groups.enumerated() where group.session != nil {
            tallies[group.script].unfinished += 1
            group.session?.interrupt(at: now)
            while group.session?.nextAction() != nil {}
            group.session = nil
            active -= 1
            groups[index].alarm = .max
        }
    }

    /// Adds the pool's results to a report.
    func addTo(_ report: inout WorkerReport) {
        report.counts.merge(counts)
        report.violations.merge(violations)
        report.recorder.merge(recorder)
        report.lateness.merge(lateness)
        report.scenarios = tallies
        report.merge(schema: schema?.report)
    }
}
