/// The reason a listener could not be added.
public enum MulticastError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The listener limit has been reached.
    case tooManyListeners(listenersMax: Int)
    /// The multicast has finished.
    case finished

    /// A human-readable reason.
    public var description: String {
        switch self {
        case .tooManyListeners(let listenersMax):
            "the limit of \(listenersMax) listeners has been reached; remove one first"
        case .finished: "the multicast has finished"
        }
    }
}
