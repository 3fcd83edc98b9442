import LineProtocol
import Results
import Session

extension CaseScript {
    /// Adds a step that requires a client's name to become free after the client has disconnected,
    /// if a login can show that.
    mutating func freed(_ handle: String) {
        guard subject.reportsFreeNames else { return }
        step(.question, "name \"\(actor(handle).name)\" free  within \(StaleSession.secondsMax)s")
    }
}
