/// The reason a regular expression cannot be used.
package struct InvalidExpression: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
