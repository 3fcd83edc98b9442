import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `reply.shape` rule: replies keep all of their arguments, regardless of the value that they
/// repeat.
enum ReplyShape: CheckFamily {
    static let ruleID = "reply.shape"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.hasVerbs else {
            return notApplicable("the dialect's lines have no arguments")
        }
        let checks = RepeatedValue.allCases.compactMap { value -> CatalogueEntry? in
            let lines = RepeatedLine.all(value, word: "x", subject, room: nil)
            return lines.isEmpty ? nil : .check(check(value, subject))
        }
        return checks.isEmpty
            ? notApplicable("no client command has a text argument that a reply could repeat")
            : checks
    }

    private static func check(_ value: RepeatedValue, _ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, value.rawValue),
            "replies that repeat \(value.words) have the arguments declared in the command table",
            setting: "commands", in: subject
        ) { maker in
            let room = maker.room()
            let lines = RepeatedLine.all(
                value, word: String(maker.word().prefix(5)), maker.subject, room: room)
            // If errors close the connection, each line needs its own connection.
            guard maker.subject.errorsClose else { return [made(lines, value, room, &maker)] }
            return lines.map { made([$0], value, room, &maker) }
        }
    }

    private static func made(
        _ lines: [RepeatedLine], _ value: RepeatedValue, _ room: Int, _ maker: inout CaseMaker
    ) -> CheckCase {
        let what = lines.count == 1 ? lines[0].command : "\(lines.count) lines"
        var script = maker.script("\(what) with \(value.words)")
        script.enter(room: room, ["alice"])
        script.barrier("alice", role: .control)
        for line in lines {
            script.send(.stimulus, line.bytes, by: "alice")
            let malformed = value.malformed(line.word, maker.subject.dialect)
            script.step(
                .question, .sync("alice"),
                requires: malformed.map { [.expect("alice", .never, $0)] } ?? [])
        }
        script.barrier("alice")
        let word = lines.first?.word ?? []
        var made = script.made(.any) { judge(value, word, &$0) }
        made.keepsBytes = true
        return made
    }

    private static func judge(
        _ value: RepeatedValue, _ word: [UInt8], _ evidence: inout Evidence
    ) -> Judgement {
        var table = ReplyTable(evidence.subject.dialect)
        var broken: [String] = []
        var example: (line: [UInt8], words: String)?
        let first = evidence.stimuli.first ?? 0
        for (entry, step) in evidence.entries
        where step >= first && entry.kind == .received && entry.role == .plain {
            guard let words = table.flaw(of: entry), !broken.contains(words.reply),
                value.explains(entry, word, &table)
            else { continue }
            broken.append(words.reply)
            if example == nil { example = (entry.bytes, words.words) }
        }
        guard let example else {
            if evidence.closingAnswer() != nil { return .passed }
            return Liveness.patient(evidence.scripted())
        }
        let others = broken.dropFirst()
        return .failed(
            Finding(
                "malformed", expected: "the arguments declared in the command table",
                got: "\(PeerBytes.shown([example.line])): \(example.words)"
                    + (others.isEmpty ? "" : "; also in \(others.joined(separator: ", "))")))
    }
}
