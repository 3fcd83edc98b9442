import LineProtocol
import Results
import Scenario
import Session

/// Context for creating a check's cases: the subject and a supply of unused names.
struct CaseMaker {
    let subject: Subject
    private var random: SeededRandom

    init(_ subject: Subject, id: CheckID, seed: UInt64) {
        self.subject = subject
        random = SeededRandom(seed: seed, part: id.description)
    }

    /// Returns an unused word of letters that ends with a digit. It fits into a nine-character
    /// nickname.
    mutating func word() -> String { random.word() }

    mutating func room() -> Int { random.room() }

    mutating func number(below bound: Int) -> Int { random.next(below: bound) }

    /// Returns a script with the given clients already logged in.
    mutating func script(_ title: String, _ handles: [String] = ["alice"]) -> CaseScript {
        var script = CaseScript(title, subject)
        for handle in handles { script.logIn(CaseActor(handle: handle, name: word())) }
        return script
    }

    /// Returns a script with clients that can exchange messages and have exchanged a control
    /// message. If the dialect can isolate clients, there is also a bystander.
    mutating func talkingScript(
        _ title: String, _ handles: [String] = ["alice", "bob"]
    ) -> CaseScript {
        var script = script(title, handles + (subject.hasBystander ? [Bystander.handle] : []))
        script.enter(room: room(), handles)
        script.step(.setup, .sync())
        script.say("plain\(word())", as: "alice", role: .control)
        script.hear(as: "bob", role: .control)
        script.step(.control, .sync())
        if subject.hasBystander { script.barrier(Bystander.handle, role: .control) }
        return script
    }
}

extension SeededRandom {
    /// Returns a room number with nine digits, so that no two of the cases that run at the same time
    /// meet in a room. It fits into a signed 32-bit integer.
    mutating func room() -> Int { 100_000_000 + next(below: 900_000_000) }

    /// A room number with as many digits, for lines that are not sent.
    static let sampleRoom = 777_777_777

    /// Returns six letters and a digit.
    ///
    /// Some servers refuse user names with two groups of digits inside. Without a digit, it might be
    /// a command.
    mutating func word() -> String {
        var rest = next()
        var word = ""
        for _ in 0..<6 {
            word.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + UInt8(rest % 26)))
            rest /= 26
        }
        return word + "\(2 + rest % 8)"
    }
}
