import LineProtocol
import Scenario

extension CaseScript {
    /// Adds a step that requires a client's name to become free after the client has disconnected,
    /// if a login can show that.
    mutating func freed(_ handle: String) {
        guard subject.reportsFreeNames else { return }
        let limit = Int64(StaleSession.secondsMax) * 1_000_000_000
        step(.question, .nameFree(actor(handle).name, within: limit))
    }
}
