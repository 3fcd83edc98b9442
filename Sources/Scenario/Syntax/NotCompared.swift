/// Excludes a value from `==`, so that syntax trees can be equal despite different source
/// positions.
@propertyWrapper
package struct NotCompared<Value: Sendable>: Sendable, Equatable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package static func == (_: Self, _: Self) -> Bool { true }
}
