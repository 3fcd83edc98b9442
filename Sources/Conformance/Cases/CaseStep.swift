import Scenario

/// A step of a case: what the check does, and what it then requires of the server.
package struct CaseStep: Sendable, Equatable {
    /// The purpose of a step, which determines what its failure means.
    package enum Role: String, Sendable, Hashable {
        /// Preparation, such as a login. If it fails, nothing is known about the requirement.
        case setup
        /// The ordinary form of the action, which must work before anything else is tried.
        case control
        /// The action under test.
        case stimulus
        /// A condition that must hold after the stimulus.
        case question
    }

    package var role: Role
    /// The steps that the check runs; empty if the check only states a requirement here.
    var steps: [Step]
    /// Handle of the acting client; nil for barriers and blocks.
    package var handle: String?
    /// The requirement as expectations, for the scenario file. A running check decides from the
    /// transcript instead, because the first failed expectation would end the run.
    var requires: [Step] = []
    /// The message that the step sends or expects; nil if it does neither. When shrinking removes a
    /// stimulus, it also removes the steps that expect its message.
    var topic: [UInt8]?
}

// MARK: The scenario file

extension CaseStep {
    /// The steps to write to a scenario file. The requirements replace a barrier, because
    /// expectations wait for the server anyway. They also replace a login that must fail, and then
    /// contain its lines and the refusal. Otherwise, they follow the step.
    var written: [Step] {
        if requires.isEmpty { return steps }
        return isBarrier || logsIn ? requires : steps + requires
    }

    /// Applies a change to the steps that contain the scenario file's expectations.
    mutating func changeWritten(_ change: (Step) -> Step) {
        if requires.isEmpty {
            steps = steps.map(change)
        } else {
            requires = requires.map(change)
        }
    }

    /// True if the scenario file expects the server to close the client's connection, or allows it
    /// to.
    var expectsClose: Bool {
        allowsClose
            || requires.contains { step in
                if case .closed = step.kind { step.handle == handle } else { false }
            }
    }

    /// True if the scenario file expects an answer to a probe, or a close.
    var allowsClose: Bool {
        requires.contains { $0.uses(AliveFragment.names.answeredOrClosed) }
    }

    /// True if the scenario file requires that nothing else arrives.
    var isExact: Bool {
        requires.contains { step in
            if case .quiet = step.kind { true } else { step.uses(NextFragment.name) }
        }
    }
}

// MARK: Properties of a step

extension CaseStep {
    var logsIn: Bool { uses("login") }

    /// True if the step probes the server.
    var asksWhetherAlive: Bool { uses(AliveFragment.names.alive) || SideEffect.asks(self) }

    /// True if the step only waits for the server.
    var onlyAsks: Bool { role == .question && topic == nil && (isBarrier || asksWhetherAlive) }

    /// True if the step waits until certain clients have received all answers.
    var isBarrier: Bool {
        guard steps.count == 1, case .sync(let actors) = steps[0].kind else { return false }
        return !actors.isEmpty
    }

    /// True if the step requires that a login name is free.
    var asksForName: Bool {
        steps.contains { if case .nameFree = $0.kind { true } else { false } }
    }

    /// True if the step does nothing but wait.
    var isWait: Bool {
        !steps.isEmpty && steps.allSatisfy { if case .wait = $0.kind { true } else { false } }
    }

    /// Returns true if the check uses a fragment or a behaviour in this step.
    func uses(_ name: String) -> Bool { steps.contains { $0.uses(name) } }

    /// Returns the bytes that the step sends, one element per write. Returns nil if the step does
    /// anything else, or if the bytes depend on variables.
    func pieces(_ subject: Subject) -> [[UInt8]]? {
        guard steps.count == 1, case .send(let message) = steps[0].kind else { return nil }
        switch message {
        case .wire(let line, payload: nil):
            return line.constantBytes().map { [$0 + subject.terminator] }
        case .raw(let segments):
            var pieces: [[UInt8]] = []
            for case .bytes(let template) in segments {
                guard let bytes = template.constantBytes(bytesMax: .max) else { return nil }
                pieces.append(bytes)
            }
            return pieces
        case .wire, .typed: return nil
        }
    }
}

// MARK: Changes

extension CaseStep {
    /// Replaces the bytes that the step sends.
    mutating func replace(_ pieces: [[UInt8]], _ subject: Subject) {
        steps = [.send(handle ?? "", subject.message(pieces))]
    }

    /// Replaces a login name, in everything that the step sends and expects.
    mutating func rename(_ old: String, to new: String) {
        let bytes = Template.Piece.literal(Template.Literal(Array(new.utf8), range: .none))
        func renamed(_ step: Step) -> Step {
            step.mapTemplates { $0.replacing(Array(old.utf8), with: bytes, isWord: true) }
        }
        steps = steps.map(renamed)
        requires = requires.map(renamed)
    }

    /// Shortens the wait for a name to become free.
    mutating func limitWaitForName(to limit: Int64) {
        func limited(_ step: Step) -> Step {
            guard case .nameFree(let name, let window) = step.kind,
                (window?.latest.nanoseconds ?? .max) > limit
            else { return step }
            var copy = step
            copy.kind = .nameFree(name, Window(limit))
            return copy
        }
        steps = steps.map(limited)
        requires = requires.map(limited)
    }

    /// Removes clients from a barrier.
    mutating func leaveOut(_ gone: [String]) {
        guard isBarrier, case .sync(let actors) = steps[0].kind else { return }
        let left = actors.compactMap(\.name).filter { !gone.contains($0) }
        // A `sync` without clients would apply to all clients.
        steps = left.isEmpty ? [] : [.sync(left)]
    }

    /// Halves the number of rounds of a repeated block. Returns false if there is none, or if it
    /// has only one round.
    mutating func halveRounds() -> Bool {
        guard steps.count == 1, case .repeated(var repetition) = steps[0].kind,
            repetition.count > 1
        else { return false }
        repetition.count /= 2
        steps[0].kind = .repeated(repetition)
        return true
    }
}
