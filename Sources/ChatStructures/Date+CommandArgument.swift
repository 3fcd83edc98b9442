public import ChatModel
public import Foundation
public import LineProtocol

/// Points in time as Foundation has them. A ``Timestamp`` is exact to the nanosecond, a date is not.
extension Date: CommandArgument {
    /// Any argument that is a time.
    public static func fits(_ type: ArgumentType) -> Bool { Timestamp.fits(type) }

    /// The start of 1970.
    public static var empty: Date { Date(timeIntervalSince1970: 0) }

    /// The time that the argument is.
    public init(argument: ArgumentValue) throws(ArgumentMismatch) {
        let time = try Timestamp(argument: argument)
        self.init(timeIntervalSince1970: Double(time.nanoseconds) / 1e9)
    }

    /// The time as an argument; what lies beyond the years 1678 to 2262 is their edge.
    public var argument: ArgumentValue {
        let nanoseconds = (timeIntervalSince1970 * 1e9).rounded()
        return .time(
            Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? Int64.min : Int64.max))
    }
}
