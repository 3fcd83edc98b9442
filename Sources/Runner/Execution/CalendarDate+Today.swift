import FoundationEssentials
package import LineProtocol

extension CalendarDate {
    /// The current date in UTC.
    package static var today: CalendarDate {
        CalendarDate(days: Int((Date().timeIntervalSince1970 / 86_400).rounded(.down)))
    }
}
