import Foundation

/// The sanitizer with which the tests were built.
package enum Sanitizer {
    /// True if there is one. The program under test is then many times slower.
    package static let isUsed = ProcessInfo.processInfo.environment["SANITIZED"] != nil
}
