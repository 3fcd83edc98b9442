import LineProtocol
import Results
import Session

extension CaseScript {
    /// Returns the case with a judge that checks which messages bob received from alice, and that
    /// alice received no replies.
    func judgedByPeerAndBystander(texts: [[UInt8]]) -> CheckCase {
        let byPeer = judgedByPeer(texts: texts).judge
        return made(.texts) { evidence in
            let judgement = byPeer(&evidence)
            if case .failed = judgement { return judgement }
            if let finding = Bystander.extraReply(in: &evidence) {
                return .failed(finding)
            }
            return judgement
        }
    }
}
