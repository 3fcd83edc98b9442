import LineProtocol
package import Results
import Session

/// One run that answers a check's question, or part of it: a small scenario as a value.
package struct CheckCase: Sendable {
    /// Short description of the stimulus: `with 1 of 2 arguments`.
    package var title: String
    /// The clients, in the order of the scenario's `operators` line.
    var actors: [Actor]
    /// The steps, in order.
    package var steps: [CaseStep]
    /// The case's own fragments.
    var fragments: [String] = []
    /// How sent bytes are divided into writes.
    package var segmentation: Segmentation
    /// Timeout of a step, in nanoseconds.
    var patience: Int64
    /// Whether the server gets time to close connections before it is observed.
    var settles = false
    /// Parts that shrinking may remove.
    var reducible = Reducible.none
    /// Clients that shrinking must keep, with their steps.
    var stays: Set<String> = []
    /// Whether shrinking must keep the bytes of the stimuli.
    var keepsBytes = false
    /// Texts no longer expected, because their stimuli were removed or changed.
    var unsaid: Set<[UInt8]> = []
    /// Judges the outcome.
    var judge: @Sendable (inout Evidence) -> Judgement
}

extension CheckCase {
    /// Parts that can be removed from a case without changing its question.
    enum Reducible: Sendable {
        /// Only the bystander: the judge relies on everything else.
        case none
        /// Stimuli that send texts: the judge expects only what was sent.
        case texts
        /// Those, and any client.
        case textsAndPeople
        /// Any stimulus and client: each answer is judged on its own.
        case any
    }

    /// Filters out texts that are no longer expected.
    func expected(_ texts: [[UInt8]]) -> [[UInt8]] {
        unsaid.isEmpty ? texts : texts.filter { !unsaid.contains($0) }
    }

    /// Returns the case with new names for the next run, except names that are part of what is
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
                // Another name may be the same in other case.
                copy.steps[step].text = copy.steps[step].text
                    .replacing(old.uppercased(), with: new.uppercased())
                copy.steps[step].strict = copy.steps[step].strict?
                    .replacing(old.uppercased(), with: new.uppercased())
            }
        }
        return copy
    }

    /// Whether the login name differs from the handle.
    private func subject(needs actor: Actor) -> Bool { actor.name != actor.handle }
}

/// A step of a case: a line of scenario text, or a block.
package struct CaseStep: Sendable, Hashable {
    /// Purpose of a step, which determines what its failure means.
    package enum Role: String, Sendable, Hashable {
        /// Preparation, such as login: a failure says nothing about the claim.
        case setup
        /// The plain form, which must work before anything else is tried.
        case control
        /// The action under test.
        case stimulus
        /// Condition that must hold afterwards.
        case question
    }

    package var role: Role
    /// Scenario text without a final line end; empty if only the written scenario has it.
    package var text: String
    /// The acting client; nil for barriers and blocks.
    package var handle: String?
    /// The written scenario's text instead: the claim as an expectation, where the check itself
    /// reads the transcript.
    package var strict: String?
    /// The bytes sent, one element per write; nil if a behaviour determines them.
    var pieces: [[UInt8]]?
    /// The text sent or expected: removing a stimulus also removes what results from it.
    var topic: [UInt8]?

    /// Whether it is a login.
    var logsIn: Bool { text.hasPrefix("use login ") }

    /// Whether it probes the server.
    var asksWhetherAlive: Bool {
        text.hasPrefix("use \(AliveFragment.names.alive) ") || SideEffect.asks(text)
    }
}
