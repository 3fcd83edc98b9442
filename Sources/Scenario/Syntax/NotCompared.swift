/// Keeps a value out of `==`: two trees are equal when they say the same, wherever it stands.
@propertyWrapper
package struct NotCompared<Value: Sendable>: Sendable, Equatable {
    /// The value.
    package var wrappedValue: Value

    /// Wraps a value.
    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Always true.
    package static func == (_: Self, _: Self) -> Bool { true }
}
