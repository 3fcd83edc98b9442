/// The reason a reference server cannot start.
package struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    package var code: Code
    /// Error message: what was expected, what was found, and how to fix it.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Machine-readable cause of the error.
    package enum Code: Sendable, Hashable {
        /// The dialect has no command with this name.
        case missingCommand(String)
        /// A command argument is missing from the dialect, or has a type that the server cannot
        /// use.
        case unsuitableArgument(command: String, argument: String)
        /// The dialect lacks the behaviour, or the server does not support it.
        case missingBehaviour(String)
        case addressInUse
        /// The server cannot listen on the address.
        case cannotListen
    }

    package var description: String { message }
}
