import LineProtocol
import Scenario
import Session

/// What cases are made with: names that nobody had before, and the subject.
struct CaseMaker {
    let subject: Subject
    /// The check's name.
    let id: CheckID
    private var random: CaseRandom

    init(_ subject: Subject, check: Check, seed: UInt64) {
        self.subject = subject
        id = check.id
        random = CaseRandom(seed: seed, parts: check.id.description)
    }

    /// A word of letters and digits that starts with a letter. Short enough for a nickname of nine
    /// characters, and not in use by others.
    mutating func word() -> String { random.word() }

    /// A room's number.
    mutating func room() -> Int { 10_000 + Int(random.next() % 90_000) }

    /// A number below `bound`.
    mutating func number(below bound: Int) -> Int { Int(random.next() % UInt64(max(bound, 1))) }

    /// An empty script with these people, logged in.
    mutating func script(_ title: String, _ handles: [String] = ["alice"]) -> CaseScript {
        var script = CaseScript(title, subject)
        for handle in handles { script.logIn(Actor(handle: handle, name: word())) }
        return script
    }

    /// A script with these people, who can hear each other; the plain form of a text has been heard.
    mutating func talkingScript(
        _ title: String, _ handles: [String] = ["alice", "bob"], witness: Bool = false
    ) -> CaseScript {
        var script = script(title, handles + (witness ? ["carol"] : []))
        script.enter(room: room(), handles)
        script.step(.setup, "sync")
        script.say("plain\(word())", as: "alice", role: .control)
        script.hear(as: "bob", role: .control)
        script.step(.control, "sync")
        return script
    }
}

/// A small generator whose numbers are the same on every machine (SplitMix64).
struct CaseRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, parts: String = "") {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in parts.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        state = seed ^ hash
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

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
