import Foundation

/// The environment variables.
enum Environment {
    /// What every variable that is an option's begins with.
    static let prefix = "LINEJUDGE_"

    /// The variables of this process.
    static var ofProcess: [String: String] { ProcessInfo.processInfo.environment }
}
