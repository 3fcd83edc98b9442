import LineProtocol
package import Results
import Session

/// A short scenario that tests a check's requirement, or part of it.
package struct CheckCase: Sendable {
    /// Short description of the case, such as `with 1 of 2 arguments`.
    package var title: String
    /// The clients, in the order of the scenario's `operators` line.
    var actors: [CaseActor]
    package var steps: [CaseStep]
    /// Fragments that only this case uses.
    var fragments: [String] = []
    /// Rule for splitting sent bytes into writes.
    package var segmentation: Segmentation
    /// Timeout of each step, in nanoseconds.
    var patience: Int64
    /// True if the server gets time to close connections before its final state is observed.
    var settles = false
    /// The parts that shrinking may remove.
    var reducible = Reducible.none
    /// Handles of clients that shrinking must keep, along with their steps.
    var stays: Set<String> = []
    /// True if shrinking must leave the bytes of the stimuli unchanged.
    var keepsBytes = false
    /// Messages that are no longer expected because shrinking has removed or changed the stimuli
    /// that sent them.
    var removedTexts: Set<[UInt8]> = []
    var judge: @Sendable (inout Evidence) -> Judgement
}

extension CheckCase {
    /// The parts of a case that can be removed without changing what it tests.
    enum Reducible: Sendable {
        /// Only the bystander, because the judge depends on everything else.
        case none
        /// The bystander and stimuli that send messages: the judge does not expect messages that
        /// were not sent.
        case texts
        /// Stimuli that send messages, and any client that is not needed.
        case textsAndPeople
        /// Any stimulus and any client, because each answer is judged independently.
        case any
    }

    /// Returns those of the given messages that are still expected after shrinking.
    func expected(_ texts: [[UInt8]]) -> [[UInt8]] {
        removedTexts.isEmpty ? texts : texts.filter { !removedTexts.contains($0) }
    }

    /// Returns the case with new login names for its next run. If a message contains a login name,
    /// the case is returned unchanged.
    func renamed(seed: UInt64) -> CheckCase {
        let mentionsName = steps.contains { step in
            guard let topic = step.topic else { return false }
            return actors.contains { subject(needs: $0) && topic.contains(Array($0.name.utf8)) }
        }
        if mentionsName { return self }
        var random = SeededRandom(seed: seed, part: "renamed")
        var copy = self
        for index in actors.indices where subject(needs: actors[index]) {
            let (old, new) = (actors[index].name, random.word())
            copy.actors[index].name = new
            for step in copy.steps.indices {
                copy.steps[step].text = copy.steps[step].text.replacing(old, with: new)
                copy.steps[step].strict = copy.steps[step].strict?.replacing(old, with: new)
                copy.steps[step].pieces = copy.steps[step].pieces?.map {
                    $0.replacing(Array(old.utf8), with: Array(new.utf8))
                }
                // A step may also contain the name in upper case.
                copy.steps[step].text = copy.steps[step].text
                    .replacing(old.uppercased(), with: new.uppercased())
                copy.steps[step].strict = copy.steps[step].strict?
                    .replacing(old.uppercased(), with: new.uppercased())
            }
        }
        return copy
    }

    /// Returns whether a client's login name differs from its handle.
    private func subject(needs actor: CaseActor) -> Bool { actor.name != actor.handle }
}

/// A step of a case: a scenario statement or a block of statements.
package struct CaseStep: Sendable, Hashable {
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
    /// The step as scenario text without a trailing newline; empty if the step exists only in the
    /// scenario file.
    package var text: String
    /// Handle of the acting client; nil for barriers and blocks.
    package var handle: String?
    /// Text of the step in a scenario file; nil if it equals `text`. A running check judges the
    /// transcript, whereas a scenario file states the requirement as expectations.
    package var strict: String?
    /// The bytes to send, one element per write; nil if a behaviour determines them.
    var pieces: [[UInt8]]?
    /// The message that the step sends or expects; nil if it does neither. When shrinking removes a
    /// stimulus, it also removes the steps that expect its message.
    var topic: [UInt8]?

    var logsIn: Bool { text.hasPrefix("use login ") }

    /// True if the step probes the server.
    var asksWhetherAlive: Bool {
        text.hasPrefix("use \(AliveFragment.names.alive) ") || SideEffect.asks(text)
    }
}
