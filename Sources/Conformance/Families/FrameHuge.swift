import LineProtocol
import Results
import Scenario
import Session

/// The `frame.max:huge` check, in which a one-megabyte line is sent, at once or in pieces, with or
/// without a terminator.
enum FrameHuge {
    static let id = CheckID(FrameMaximum.ruleID, "huge")
    private static let bytes = 1 << 20
    private static let pieces = 16

    static func check(_ subject: Subject) -> Check {
        var check = Check(
            id,
            "a one-megabyte line is handled or ends the connection, without delaying other clients",
            setting: "framing.overflow", in: subject, level: .robustness
        ) { maker in Manner.allCases.map { made($0, &maker) } }
        check.isLong = true
        return check
    }

    private enum Manner: String, CaseIterable {
        case whole = "a megabyte with a terminator"
        case slow = "a megabyte in pieces, with a terminator"
        case endless = "a megabyte without a terminator, then FIN"
    }

    private static func made(_ manner: Manner, _ maker: inout CaseMaker) -> CheckCase {
        let subject = maker.subject
        var script = maker.script(manner.rawValue, ["alice", "bob"])
        for handle in ["alice", "bob"] { script.barrier(handle, role: .control) }
        let line = [UInt8](repeating: 0x78, count: bytes)
        switch manner {
        case .whole: script.send(.stimulus, line + subject.terminator, by: "alice")
        case .slow:
            let piece = Array(line.prefix(bytes / pieces))
            let parts =
                [[UInt8]](repeating: piece, count: pieces - 1) + [piece + subject.terminator]
            script.send(.stimulus, pieces: parts, by: "alice")
        case .endless: script.send(.stimulus, line, by: "alice")
        }
        script.barrier("bob")
        if manner == .endless {
            script.step(.question, .close("alice"))
            script.freed("alice")
            script.barrier("bob")
        } else {
            script.barrier("alice", mayClose: true)
        }
        var made = script.made { evidence in
            let scripted = Liveness.patient(evidence.scripted())
            guard case .failed(let finding) = scripted else { return scripted }
            let decided = evidence.decidingStep.map { evidence.testCase.steps[$0] }
            // The server may close the sender's connection here, even without an error message, but
            // other clients must not be affected.
            let isAnswered = finding.kind == "closed" && decided?.handle == "alice"
            return isAnswered ? .passed : StaleSession.judge(evidence) ?? scripted
        }
        made.isHeavy = true
        made.setPatience(subject.patience)
        return made
    }
}
