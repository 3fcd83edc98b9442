import Diagnostics

/// The reason a dialect cannot be used for a load test.
package struct OperatorScriptError: Error, Sendable, Equatable {
    /// Stable diagnostic code.
    package struct Code: Sendable, Hashable {
        package let word: String

        /// A behaviour uses steps that load tests do not support.
        package static let unsuitableBehaviour = Code(word: "load.unsuitable-behaviour")
        package static let notEncodable = Code(word: "load.not-encodable")
    }

    package var code: Code
    package var message: String
    /// Advice on how to fix the problem; nil if there is none.
    package var help: String?

    init(_ code: Code, _ message: String, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
    }
}
