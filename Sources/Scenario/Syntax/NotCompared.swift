/// Keeps a value out of `==`: two trees are equal when they say the same, wherever it stands.
@propertyWrapper
public struct NotCompared<Value: Sendable>: Sendable, Equatable {
    /// The value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Always true.
    public static func == (_: Self, _: Self) -> Bool { true }
}
