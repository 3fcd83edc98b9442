/// Why a listener was not added.
public enum MulticastError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There are as many listeners as there may be.
    case tooManyListeners(listenersMax: Int)
    /// The multicast has finished: nothing will be broadcast any more.
    case finished

    /// The reason, for people.
    public var description: String {
        switch self {
        case .tooManyListeners(let listenersMax):
            "there are \(listenersMax) listeners already: remove one before adding another"
        case .finished: "the multicast has finished, so that there is nothing to listen to"
        }
    }
}
