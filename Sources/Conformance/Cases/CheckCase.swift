import LineProtocol
package import Results
import Session

/// One play that answers a check's question, or a part of it: a small scenario, as a value.
package struct CheckCase: Sendable {
    /// What is tried, in a few words: `with 1 of 2 arguments`.
    package var title: String
    /// Who takes part, in the order of the scenario's `operators` line.
    var actors: [Actor]
    /// What happens, in order.
    package var steps: [CaseStep]
    /// Fragments of its own that steps use.
    var fragments: [String] = []
    /// How what is sent is divided into writes.
    package var segmentation: Segmentation
    /// How long a step waits, in nanoseconds.
    var patience: Int64
    /// Whether the server is given time to close what was closed, before it is looked at.
    var settles = false
    /// What of it may be left out when it is made smaller.
    var reducible = Reducible.none
    /// Who stays whatever is left out, with what they do.
    var stays: Set<String> = []
    /// Whether it needs the bytes of its stimuli as they are.
    var keepsBytes = false
    /// Texts whose stimuli were left out, or changed: they are not expected any more.
    var unsaid: Set<[UInt8]> = []
    /// Reads what came.
    var judge: @Sendable (inout Evidence) -> Judgement
}

extension CheckCase {
    /// What of a case may be left out without a change of what is asked.
    enum Reducible: Sendable {
        /// No stimulus, and nobody but the bystander: who judges counts on all of them.
        case none
        /// Stimuli that say a text, since who judges expects only what was said.
        case texts
        /// Those, and anybody who takes part.
        case textsAndPeople
        /// Any stimulus, and anybody: each answer is judged by itself.
        case any
    }

    /// Of these texts those that are still to be expected.
    func expected(_ texts: [[UInt8]]) -> [[UInt8]] {
        unsaid.isEmpty ? texts : texts.filter { !unsaid.contains($0) }
    }

    /// The same with other names, for the next play. Where a name is a part of what is said it stays.
    func renamed(seed: UInt64) -> CheckCase {
        let isSaid = steps.contains { step in
            guard let topic = step.topic else { return false }
            return actors.contains { subject(needs: $0) && topic.contains(Array($0.name.utf8)) }
        }
        if isSaid { return self }
        var random = SeededRandom(seed: seed, part: "renamed")
        var play = self
        for place in actors.indices where subject(needs: actors[place]) {
            let (old, new) = (actors[place].name, random.word())
            play.actors[place].name = new
            for step in play.steps.indices {
                play.steps[step].text = play.steps[step].text.replacing(old, with: new)
                play.steps[step].strict = play.steps[step].strict?.replacing(old, with: new)
                play.steps[step].pieces = play.steps[step].pieces?.map {
                    $0.replacing(Array(old.utf8), with: Array(new.utf8))
                }
                // A name beside it may be the same in other letters.
                play.steps[step].text = play.steps[step].text
                    .replacing(old.uppercased(), with: new.uppercased())
                play.steps[step].strict = play.steps[step].strict?
                    .replacing(old.uppercased(), with: new.uppercased())
            }
        }
        return play
    }

    /// Whether the name is more than what the case calls them.
    private func subject(needs actor: Actor) -> Bool { actor.name != actor.handle }
}

/// One step of a case: a line of scenario text, or a block.
package struct CaseStep: Sendable, Hashable {
    /// What a step is there for, which decides what its failure means.
    package enum Role: String, Sendable, Hashable {
        /// Logging in and the like: a failure says nothing about the claim.
        case setup
        /// The plain form, which has to work before anything else is asked.
        case control
        /// What the check is about.
        case stimulus
        /// What has to hold after it.
        case question
    }

    /// What it is there for.
    package var role: Role
    /// Scenario text without a line end at its end; empty where only the scenario that is written down has it.
    package var text: String
    /// Who acts; nil for barriers and blocks.
    package var handle: String?
    /// What the scenario that is written for a failure says here instead: the claim as an expectation, where
    /// the check itself looks at what came.
    package var strict: String?
    /// The bytes that are sent, each piece in a write of its own; nil where a behaviour says what is.
    var pieces: [[UInt8]]?
    /// The text that is said, or has to be heard: who leaves out a stimulus leaves out what has to come of it.
    var topic: [UInt8]?

    /// Whether somebody logs in here.
    var logsIn: Bool { text.hasPrefix("use login ") }

    /// Whether it asks whether the server is there still.
    var asksWhetherAlive: Bool {
        text.hasPrefix("use \(AliveFragment.names.alive) ") || SideEffect.asks(text)
    }
}
