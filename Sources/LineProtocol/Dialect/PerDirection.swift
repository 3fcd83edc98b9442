/// A setting with a value for each direction of a connection.
public struct PerDirection<Value> {
    /// The value for lines that a client sends.
    public var fromClient: Value
    /// The value for lines that a server sends.
    public var fromServer: Value

    /// Creates a setting with a value for each direction.
    public init(fromClient: Value, fromServer: Value) {
        self.fromClient = fromClient
        self.fromServer = fromServer
    }

    /// Creates a setting with the same value for both directions.
    public init(_ value: Value) {
        fromClient = value
        fromServer = value
    }

    #if DEBUG
        // See ``Dialect``.
        /// The value for lines in `direction`.
        public subscript(direction: Direction) -> Value {
            get { direction == .fromClient ? fromClient : fromServer }
            set {
                switch direction {
                case .fromClient: fromClient = newValue
                case .fromServer: fromServer = newValue
                }
            }
        }
    #else
        /// The value for lines in `direction`.
        @inlinable
        public subscript(direction: Direction) -> Value {
            _read {
                switch direction {
                case .fromClient: yield fromClient
                case .fromServer: yield fromServer
                }
            }
            _modify {
                switch direction {
                case .fromClient: yield &fromClient
                case .fromServer: yield &fromServer
                }
            }
        }
    #endif
}

extension PerDirection: Sendable where Value: Sendable {}

extension PerDirection: Equatable where Value: Equatable {
    /// True if both directions have the same value.
    package var isUniform: Bool { fromClient == fromServer }
}
