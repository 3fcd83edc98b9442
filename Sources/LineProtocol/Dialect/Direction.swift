/// The direction of a line.
public enum Direction: Sendable, Hashable, CaseIterable {
    /// From a client to the server.
    case fromClient
    /// From the server to a client.
    case fromServer

    /// The opposite direction.
    public var opposite: Direction { self == .fromClient ? .fromServer : .fromClient }
}

/// The side or sides that send a command.
public enum CommandDirection: Sendable, Hashable {
    case client, server, both

    /// Returns true if `direction` is allowed.
    public func allows(_ direction: Direction) -> Bool {
        switch self {
        case .both: true
        case .client: direction == .fromClient
        case .server: direction == .fromServer
        }
    }
}
