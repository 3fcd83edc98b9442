import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario
import Session

/// The `reconn.mid` rule: a client that is disconnected in the middle of a command can return with
/// the same name immediately.
enum ReconnectMid: CheckFamily {
    static let ruleID = "reconn.mid"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.bound["login"]?.takes("name") == true else {
            return notApplicable("the login sends no name")
        }
        let check = Check(
            CheckID(ruleID),
            "after a close at any point, the name becomes free again and no partial line is executed",
            setting: "behaviours.login", in: subject, level: .robustness
        ) { maker in
            Cut.allCases.flatMap { cut in
                [
                    (CaseEnding.close, Segmentation.whole), (.close, .finWithData),
                    (.abort, .whole),
                ]
                .compactMap { made(cut, $0.0, $0.1, &maker) }
            }
        }
        return [check, ReconnectBytes.check(subject), ReconnectLogin.check(subject)]
            .compactMap { $0.map { .check($0) } }
    }

    private enum Cut: String, CaseIterable {
        case line = "after a line"
        case command = "partway through a line"
        case payload = "before the end of a line, or of a payload"

        func bytes(_ wire: WireLine) -> [UInt8] {
            switch self {
            case .line: wire.bytes
            case .command: Array(wire.line.prefix(max(1, wire.line.count / 2)))
            case .payload:
                wire.tail.isEmpty ? wire.line : wire.line + wire.terminator + wire.tail.prefix(2)
            }
        }
    }

    private static func made(
        _ cut: Cut, _ end: CaseEnding, _ segmentation: Segmentation, _ maker: inout CaseMaker
    ) -> CheckCase? {
        let hasTalk = maker.subject.talk?.isOneLine == true
        let isTogether = segmentation == .finWithData
        let words =
            end == .abort ? "a reset" : isTogether ? "a FIN in the same segment" : "a FIN"
        let title = "\(words) \(cut.rawValue)"
        var script = hasTalk ? maker.talkingScript(title) : maker.script(title)
        script.segmentation = segmentation
        script.barrier("alice", role: .control)
        let text = maker.bytes()
        let wire =
            hasTalk ? script.wire(bytes: text, by: "alice") : WireLine.probe(maker.subject)
        guard let wire else { return nil }
        script.note(said: text, by: "alice")
        script.send(.stimulus, cut.bytes(wire), by: "alice")
        // The close is not a stimulus, so that shrinking does not remove it: without the close, the
        // name would rightly be in use.
        script.step(.question, end.step(by: "alice"))
        script.freed("alice")
        if hasTalk, cut != .line { script.unheardAnything(by: "alice", as: "bob") }
        if hasTalk { script.barrier("bob") }
        let room = script.room
        return script.made { evidence in
            if hasTalk, cut != .line,
                let ran = PeerBytes.ran(
                    by: "alice", room: room, expected: "a partial line is not executed",
                    in: &evidence)
            {
                return .failed(ran)
            }
            return StaleSession.judge(evidence) ?? evidence.scripted()
        }
    }
}
