import Diagnostics

/// Why a dialect cannot be used for a load.
package struct OperatorScriptError: Error, Sendable, Equatable {
    /// What it is, in a word that stays the same.
    package struct Code: Sendable, Hashable {
        package let word: String

        /// A behaviour that the load needs is missing.
        package static let missingBehaviour = Code(word: "load.missing-behaviour")
        /// A behaviour is written so that it cannot be done thousands of times a second.
        package static let unsuitableBehaviour = Code(word: "load.unsuitable-behaviour")
        /// A line cannot be encoded.
        package static let notEncodable = Code(word: "load.not-encodable")
    }

    package var code: Code
    package var message: String
    /// What to do about it.
    package var help: String?

    init(_ code: Code, _ message: String, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
    }
}
