import Scenario

/// The way a client ends its connection.
enum CaseEnding: String {
    case close
    case halfClose = "half-close"
    case abort

    /// Returns the step in which a client ends its connection.
    func step(by handle: String) -> Step {
        switch self {
        case .close: .close(handle)
        case .halfClose: .halfClose(handle)
        case .abort: .abort(handle)
        }
    }
}
