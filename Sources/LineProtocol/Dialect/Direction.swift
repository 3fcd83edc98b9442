/// Who speaks.
public enum Direction: Sendable, Hashable, CaseIterable {
    /// From an operator to the server.
    case fromClient
    /// From the server to an operator.
    case fromServer

    /// The other side.
    public var opposite: Direction { self == .fromClient ? .fromServer : .fromClient }
}

/// Who may send a command.
public enum CommandDirection: Sendable, Hashable {
    case client, server, both

    /// Whether that side may send it.
    public func allows(_ direction: Direction) -> Bool {
        switch self {
        case .both: true
        case .client: direction == .fromClient
        case .server: direction == .fromServer
        }
    }
}
