import FoundationEssentials

/// Access to the environment variables of this process.
package enum Environment {
    /// Prefix of the variables that set options.
    package static let prefix = "LINEJUDGE_"

    package static var ofProcess: [String: String] { ProcessInfo.processInfo.environment }
}
