import LineProtocol
import Results
import Scenario

/// The `inj.sep` rule, in which a message contains field separators.
enum InjectSeparators: CheckFamily {
    static let ruleID = "inj.sep"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let position = TextPosition(subject) else {
            return notApplicable(subject.noMessages)
        }
        let ends = subject.dialect.framing.fromClient.accepted.flatMap(\.bytes)
        let dividing = position.special.filter { position.isPreserved($0) && !ends.contains($0) }
        guard !dividing.isEmpty else {
            return notApplicable("a message cannot contain a separator")
        }
        let check = Check(
            CheckID(ruleID), "separators inside a message stay part of it",
            setting: position.setting,
            in: subject
        ) { maker in
            let word = maker.word()
            return [
                InjectedText.made("a message full of separators", &maker) { script in
                    dividing.map { byte in
                        Array("\(word)".utf8) + [byte, 0x31, byte, byte]
                            + Array("forged\(word)".utf8)
                    }
                        + [InjectedText.command(word, script, without: ends)].filter {
                            $0.allSatisfy(position.isPreserved)
                        }
                }
            ]
        }
        return [.check(check)]
    }
}

/// The `inj.term` rule, in which a message contains a line terminator followed by a command.
enum InjectTerminators: CheckFamily {
    static let ruleID = "inj.term"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let position = TextPosition(subject) else {
            return notApplicable(subject.noMessages)
        }
        let ends = subject.dialect.framing.fromClient.accepted.map(\.bytes)
            .filter { $0.allSatisfy(position.isPreserved) }
        guard !ends.isEmpty else { return notApplicable("a message cannot contain a terminator") }
        let check = Check(
            CheckID(ruleID), "a terminator inside a message does not end the line",
            setting: position.setting,
            in: subject
        ) { maker in
            let word = maker.word()
            return [
                InjectedText.made("a command after each terminator", &maker) { script in
                    ends.flatMap { end -> [[UInt8]] in
                        let command = InjectedText.command(word, script, without: [])
                        return [Array(word.utf8) + end + command + end, end + command]
                    }
                }
            ]
        }
        return [.check(check)]
    }
}

/// Messages and cases that the injection checks share.
enum InjectedText {
    /// Returns a command to inject, which would send another message from alice.
    static func command(
        _ word: String, _ script: CaseScript, without ends: [UInt8]
    ) -> [UInt8] {
        let wire = script.wire(bytes: Array("forged\(word)".utf8), by: "alice")
        return (wire?.line ?? []).filter { !ends.contains($0) }
    }

    static func made(
        _ title: String, _ maker: inout CaseMaker, texts: (CaseScript) -> [[UInt8]]
    ) -> CheckCase {
        var script = maker.talkingScript(title)
        script.barrier("alice", role: .control)
        let said = script.exchange(texts(script))
        return script.judgedByPeerAndBystander(texts: said)
    }
}
