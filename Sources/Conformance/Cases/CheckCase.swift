import LineProtocol
package import Results
import Scenario
import Session

/// A short scenario that tests a check's requirement, or part of it.
package struct CheckCase: Sendable {
    /// Short description of the case, such as `with 1 of 2 arguments`.
    package var title: String
    /// The clients, in the order of the scenario's `operators` line.
    var actors: [CaseActor]
    package var steps: [CaseStep]
    /// Fragments that only this case uses.
    var fragments: [Fragment] = []
    /// Rule for splitting sent bytes into writes.
    package var segmentation: Segmentation
    /// Timeout of each step, in nanoseconds.
    var patience: Int64
    /// True if the case makes the server work so hard that its answers may take seconds on a busy
    /// machine. Its timeout is longer than that of other cases.
    var isHeavy = false
    /// How long the server takes for a login, in nanoseconds; 0 if logins are fast. Timeouts are
    /// longer by this time.
    var loginTime: Int64 = 0
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
    ///
    /// - Parameter part: Word that makes the names differ from those of other cases with the same seed.
    func renamed(seed: UInt64, part: String) -> CheckCase {
        let mentionsName = steps.contains { step in
            guard let topic = step.topic else { return false }
            return actors.contains { subject(needs: $0) && topic.contains(Array($0.name.utf8)) }
        }
        if mentionsName { return self }
        var random = SeededRandom(seed: seed, part: "renamed \(part)")
        var copy = self
        for index in actors.indices where subject(needs: actors[index]) {
            let (old, new) = (actors[index].name, random.word())
            copy.actors[index].name = new
            for step in copy.steps.indices {
                copy.steps[step].rename(old, to: new)
                // A step may also contain the name in upper case.
                copy.steps[step].rename(old.uppercased(), to: new.uppercased())
            }
        }
        return copy
    }

    /// Additional timeout of each step of a heavy case, in nanoseconds.
    private static let heavyPatience: Int64 = 5_000_000_000
    private var extraPatience: Int64 { (isHeavy ? Self.heavyPatience : 0) + loginTime }

    /// Sets the timeout of each step.
    ///
    /// - Parameter nanoseconds: Timeout for cases that are not heavy, if logins are fast.
    mutating func setPatience(_ nanoseconds: Int64) {
        patience = nanoseconds + extraPatience
    }

    /// Maximum timeout of a step of a hurried case, in nanoseconds.
    static let hurriedPatience: Int64 = 2_000_000_000
    /// Maximum time for a name to become free in a hurried case, in nanoseconds.
    static let hurriedNameWait: Int64 = 1_500_000_000

    /// The case with short timeouts, for runs that repeat a known failure.
    var hurried: CheckCase {
        var copy = self
        copy.patience = min(patience, Self.hurriedPatience + extraPatience)
        for index in copy.steps.indices {
            copy.steps[index].limitWaitForName(to: Self.hurriedNameWait + loginTime)
        }
        return copy
    }

    /// Returns whether a client's login name differs from its handle.
    private func subject(needs actor: CaseActor) -> Bool { actor.name != actor.handle }
}
