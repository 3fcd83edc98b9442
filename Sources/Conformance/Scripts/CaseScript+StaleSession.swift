import LineProtocol
import Results
import Session

extension CaseScript {
    /// Adds the check that a name becomes free after its holder has disconnected, if a login can
    /// show that.
    mutating func freed(_ handle: String) {
        guard subject.reportsFreeNames else { return }
        step(.question, "name \"\(actor(handle).name)\" free  within \(StaleSession.secondsMax)s")
    }
}
