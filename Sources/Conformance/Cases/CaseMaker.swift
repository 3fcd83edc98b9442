import LineProtocol
import Results
import Scenario
import Session

/// What cases are made with: names that nobody had before, and the subject.
struct CaseMaker {
    let subject: Subject
    /// The check's name.
    let id: CheckID
    private var random: SeededRandom

    init(_ subject: Subject, check: Check, seed: UInt64) {
        self.subject = subject
        id = check.id
        random = SeededRandom(seed: seed, part: check.id.description)
    }

    /// A word of letters and digits that starts with a letter. Short enough for a nickname of nine
    /// characters, and not in use by others.
    mutating func word() -> String { random.word() }

    /// A room's number.
    mutating func room() -> Int { 10_000 + random.next(below: 90_000) }

    /// A number below `bound`.
    mutating func number(below bound: Int) -> Int { random.next(below: bound) }

    /// An empty script with these people, logged in.
    mutating func script(_ title: String, _ handles: [String] = ["alice"]) -> CaseScript {
        var script = CaseScript(title, subject)
        for handle in handles { script.logIn(Actor(handle: handle, name: word())) }
        return script
    }

    /// A script with these people, who can hear each other; the plain form of a text has been heard. A bystander
    /// is there, too, where somebody can be who hears nothing of it.
    mutating func talkingScript(
        _ title: String, _ handles: [String] = ["alice", "bob"]
    ) -> CaseScript {
        var script = script(title, handles + (subject.hasBystander ? [Bystander.handle] : []))
        script.enter(room: room(), handles)
        script.step(.setup, "sync")
        script.say("plain\(word())", as: "alice", role: .control)
        script.hear(as: "bob", role: .control)
        script.step(.control, "sync")
        if subject.hasBystander { script.barrier(Bystander.handle, role: .control) }
        return script
    }
}

extension SeededRandom {
    /// Seven letters and digits, the first a letter.
    mutating func word() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        var rest = next()
        var word = String(letters[Int(rest % 26)])
        rest >>= 8
        for _ in 0..<6 {
            word.append(letters[Int(rest % 32)])
            rest >>= 5
        }
        return word
    }
}
