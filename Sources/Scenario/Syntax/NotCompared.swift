/// Property wrapper that excludes a value from `==`, so that syntax trees that differ only in
/// source positions are equal.
@propertyWrapper
package struct NotCompared<Value: Sendable>: Sendable, Equatable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package static func == (_: Self, _: Self) -> Bool { true }
}
