import LineProtocol
public import Session

/// One play that answers a check's question, or a part of it: a small scenario, as a value.
public struct CheckCase: Sendable {
    /// What is tried, in a few words: `with 1 of 2 arguments`.
    public var title: String
    /// Who takes part, in the order of the scenario's `operators` line.
    var actors: [Actor]
    /// What happens, in order.
    public var steps: [CaseStep]
    /// Fragments of its own that steps use.
    var fragments: [String] = []
    /// How what is sent is divided into writes.
    public var segmentation: Segmentation
    /// How long a step waits, in nanoseconds.
    var patience: Int64
    /// Whether the server is given time to close what was closed, before it is looked at.
    var settles = false
    /// Reads what came.
    var judge: @Sendable (inout Evidence) -> Judgement
}

extension CheckCase {
    /// The same with other names, for the next play.
    func renamed(seed: UInt64) -> CheckCase {
        var random = SeededRandom(seed: seed, part: "renamed")
        var play = self
        for place in actors.indices where subject(needs: actors[place]) {
            let (old, new) = (actors[place].name, random.word())
            play.actors[place].name = new
            for step in play.steps.indices {
                play.steps[step].text = play.steps[step].text.replacing(old, with: new)
                play.steps[step].strict = play.steps[step].strict?.replacing(old, with: new)
            }
        }
        return play
    }

    /// Whether the name is more than what the case calls them.
    private func subject(needs actor: Actor) -> Bool { actor.name != actor.handle }
}

/// One step of a case: a line of scenario text, or a block.
public struct CaseStep: Sendable, Hashable {
    /// What a step is there for, which decides what its failure means.
    public enum Role: String, Sendable, Hashable {
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
    public var role: Role
    /// Scenario text without a line end at its end.
    public var text: String
    /// Who acts; nil for barriers and blocks.
    public var handle: String?
    /// What the scenario that is written for a failure says here instead: the claim as an expectation, where
    /// the check itself looks at what came.
    public var strict: String?

    /// Whether somebody logs in here.
    var logsIn: Bool { text.hasPrefix("use login ") }

    /// Whether the written scenario says here that a text does not arrive.
    var expectsUnheard: Bool { strict?.hasPrefix("use \(UnheardFragment.name) ") ?? false }

    /// Whether it asks whether the server is there still.
    var asksWhetherAlive: Bool { text.hasPrefix("use \(AliveFragment.names.alive) ") }
}
