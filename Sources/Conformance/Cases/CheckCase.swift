import LineProtocol
package import Results
import Session

/// One run that answers a check's question, or part of it. It is a small scenario as a value.
package struct CheckCase: Sendable {
    /// Short description of the stimulus, such as `with 1 of 2 arguments`.
    package var title: String
    /// The clients, in the order of the scenario's `operators` line.
    var actors: [Actor]
    /// The steps, in order.
    package var steps: [CaseStep]
    /// Fragments that only this case uses.
    var fragments: [String] = []
    /// How sent bytes are divided into writes.
    package var segmentation: Segmentation
    /// Timeout of each step, in nanoseconds.
    var patience: Int64
    /// Whether the server is given time to close connections before it is observed.
    var settles = false
    /// Parts that shrinking may remove.
    var reducible = Reducible.none
    /// Handles of clients that shrinking must keep, along with their steps.
    var stays: Set<String> = []
    /// Whether shrinking must leave the bytes of the stimuli as they are.
    var keepsBytes = false
    /// Message texts that are no longer expected, because their stimuli were removed or changed.
    var unsaid: Set<[UInt8]> = []
    /// Function that judges the outcome.
    var judge: @Sendable (inout Evidence) -> Judgement
}

extension CheckCase {
    /// The parts that can be removed from a case without changing its question.
    enum Reducible: Sendable {
        /// Only the bystander, because the judge relies on everything else.
        case none
        /// Stimuli that send messages, because the judge expects only messages that were sent.
        case texts
        /// Stimuli that send messages, and any client.
        case textsAndPeople
        /// Any stimulus and any client, because each answer is judged independently.
        case any
    }

    /// Returns the given message texts without those that are no longer expected.
    func expected(_ texts: [[UInt8]]) -> [[UInt8]] {
        unsaid.isEmpty ? texts : texts.filter { !unsaid.contains($0) }
    }

    /// Returns the case with new names for the next run, except for names that are part of the data
    /// sent.
    func renamed(seed: UInt64) -> CheckCase {
        let isSaid = steps.contains { step in
            guard let topic = step.topic else { return false }
            return actors.contains { subject(needs: $0) && topic.contains(Array($0.name.utf8)) }
        }
        if isSaid { return self }
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
                // Another name may be the same name in a different case.
                copy.steps[step].text = copy.steps[step].text
                    .replacing(old.uppercased(), with: new.uppercased())
                copy.steps[step].strict = copy.steps[step].strict?
                    .replacing(old.uppercased(), with: new.uppercased())
            }
        }
        return copy
    }

    /// Returns whether a client's login name differs from its handle.
    private func subject(needs actor: Actor) -> Bool { actor.name != actor.handle }
}

/// A step of a case: one statement of the scenario, or a block.
package struct CaseStep: Sendable, Hashable {
    /// The purpose of a step, which determines what its failure means.
    package enum Role: String, Sendable, Hashable {
        /// Preparation, such as a login. A failure says nothing about the claim.
        case setup
        /// The ordinary form, which must work before anything else is tried.
        case control
        /// The action under test.
        case stimulus
        /// A condition that must hold afterwards.
        case question
    }

    package var role: Role
    /// The step as scenario text without a final line end; empty if only the written scenario has
    /// it.
    package var text: String
    /// Handle of the client that acts; nil for barriers and blocks.
    package var handle: String?
    /// The step in the written scenario, if different. Where the check itself reads the transcript,
    /// the written scenario states the claim as an expectation.
    package var strict: String?
    /// The bytes sent, one element per write; nil if a behaviour determines them.
    var pieces: [[UInt8]]?
    /// The message text that is sent or expected. When shrinking removes a stimulus, it also
    /// removes the steps that expect its text.
    var topic: [UInt8]?

    /// Whether the step is a login.
    var logsIn: Bool { text.hasPrefix("use login ") }

    /// Whether the step probes the server.
    var asksWhetherAlive: Bool {
        text.hasPrefix("use \(AliveFragment.names.alive) ") || SideEffect.asks(text)
    }
}
