import LineProtocol
import Scenario

/// Smaller variants of a case, with fewer lines and fewer clients.
extension CheckCase {
    private var stimuli: [Int] { steps.indices.filter { steps[$0].role == .stimulus } }

    /// Indices of the stimuli that may be removed. At least one must remain in the case.
    var removableStimuli: [Int] {
        guard stimuli.count > 1 else { return [] }
        return switch reducible {
        case .none: []
        case .texts, .textsAndPeople: stimuli.filter { steps[$0].topic != nil }
        case .any: stimuli.filter { !stays.contains(steps[$0].handle ?? "") }
        }
    }

    /// Returns the case without the given stimuli, the steps that expect their messages, and the
    /// questions between each of them and the next stimulus. Returns nil if no stimulus would
    /// remain.
    func without(stimuli gone: [Int]) -> CheckCase? {
        guard gone.count < stimuli.count else { return nil }
        var left = Set(gone)
        let topics = Set(gone.compactMap { steps[$0].topic })
        for stimulus in gone {
            guard let next = stimuli.first(where: { $0 > stimulus }) else { continue }
            for index in (stimulus + 1)..<next where steps[index].onlyAsks { left.insert(index) }
        }
        for index in steps.indices where steps[index].role == .question {
            if let topic = steps[index].topic, topics.contains(topic) { left.insert(index) }
        }
        var copy = self
        copy.steps = steps.indices.filter { !left.contains($0) }.map { steps[$0] }
        copy.removedTexts.formUnion(topics)
        return copy
    }

    /// Returns the case without its control steps; nil if there are none. Clients that must receive
    /// nothing, or exactly one line, are probed instead, so that earlier lines are not mistaken for
    /// answers.
    func withoutControl(_ subject: Subject) -> CheckCase? {
        let listeners = actors.map(\.handle).filter { handle in
            steps.contains { $0.handle == handle && $0.isExact }
        }
        let alive = AliveFragment(subject)
        guard let first = steps.firstIndex(where: { $0.role == .control }),
            listeners.isEmpty || alive != nil
        else { return nil }
        var copy = self
        copy.steps.removeAll { $0.role == .control }
        let asking = listeners.enumerated().flatMap { index, handle -> [CaseStep] in
            let probe = alive?.use(by: handle, word: "ready\(index + 1)")
            return ([.sync(handle)] + (probe.map { [$0] } ?? [])).map {
                CaseStep(role: .control, steps: [$0], handle: handle)
            }
        }
        guard copy.steps.count + asking.count < steps.count else { return nil }
        copy.steps.insert(contentsOf: asking, at: first)
        return copy
    }

    // MARK: Clients

    /// Handles of clients that may be removed.
    var removablePeople: [String] {
        let handles = actors.map(\.handle).filter { !stays.contains($0) }
        return switch reducible {
        case .none, .texts: handles.filter { $0 == Bystander.handle }
        case .textsAndPeople, .any: actors.count > 1 ? handles : []
        }
    }

    /// Returns the case without the given clients and their steps; nil if no stimulus would remain.
    func without(people gone: [String]) -> CheckCase? {
        guard gone.count < actors.count else { return nil }
        var copy = self
        copy.actors.removeAll { gone.contains($0.handle) }
        let texts = steps.filter { $0.role == .stimulus && gone.contains($0.handle ?? "") }
            .compactMap(\.topic)
        copy.removedTexts.formUnion(texts)
        copy.steps.removeAll { step in
            if let handle = step.handle, gone.contains(handle) { return true }
            return step.role == .question && step.topic.map(texts.contains) ?? false
        }
        for index in copy.steps.indices where copy.steps[index].handle == nil {
            copy.steps[index].leaveOut(gone)
        }
        return copy.steps.contains { $0.role == .stimulus } ? copy : nil
    }
}
