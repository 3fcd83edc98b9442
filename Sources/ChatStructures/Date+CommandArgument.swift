public import ChatModel
public import Foundation
public import LineProtocol

/// Converts times to and from Foundation dates, which are less precise than a ``Timestamp``.
extension Date: CommandArgument {
    /// Returns true for time arguments.
    public static func fits(_ type: ArgumentType) -> Bool { Timestamp.fits(type) }

    /// 1970-01-01T00:00:00Z.
    public static var empty: Date { Date(timeIntervalSince1970: 0) }

    /// Converts a time argument.
    ///
    /// - Throws: ``ArgumentMismatch`` if the argument is not a time.
    public init(argument: ArgumentValue) throws(ArgumentMismatch) {
        let time = try Timestamp(argument: argument)
        self.init(timeIntervalSince1970: Double(time.nanoseconds) / 1e9)
    }

    /// The time as an argument, clamped to the range of 64-bit nanoseconds (1677 to 2262).
    public var argument: ArgumentValue {
        let nanoseconds = (timeIntervalSince1970 * 1e9).rounded()
        return .time(
            Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? Int64.min : Int64.max))
    }
}
