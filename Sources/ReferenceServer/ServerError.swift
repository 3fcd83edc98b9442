/// Why a reference server cannot be.
package struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    package var code: Code
    /// What was expected, what came, and what to do.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package enum Code: Sendable, Hashable {
        /// The dialect has no command of this name.
        case missingCommand(String)
        /// A command of the dialect has not the arguments that the server reads or sends.
        case unsuitableArgument(command: String, argument: String)
        /// The dialect has no behaviour of this name, or one that cannot be served.
        case missingBehaviour(String)
        case addressInUse
        /// The address is not one to listen at.
        case cannotListen
    }

    package var description: String { message }
}
