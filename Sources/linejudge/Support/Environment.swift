import Foundation

/// Environment variables.
enum Environment {
    /// Prefix of the variables that set options.
    static let prefix = "LINEJUDGE_"

    /// The variables of this process.
    static var ofProcess: [String: String] { ProcessInfo.processInfo.environment }
}
