import Foundation
import LineProtocol
import Testing

struct CalendarDateTests {
    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-01", "0001-01-00", "2026-04-31", "2100-02-29",
        "2026-1-31", "+026-01-31", "2026-01-3x", "2026/01/31", "2026-01-31 ", "",
    ])
    func invalidDatesAreRejected(_ text: String) {
        #expect(CalendarDate(text) == nil)
    }

    /// Compares with the calendar of Foundation.
    @Test func daysAndDatesAreConvertedBothWays() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for days in stride(from: -134_773, through: 300_000, by: 17) {
            let date = CalendarDate(days: days)
            let time = Date(timeIntervalSince1970: Double(days) * 86_400)
            let expected = calendar.dateComponents([.year, .month, .day], from: time)
            let found = [date.year, date.month, date.day]
            #expect(found == [expected.year, expected.month, expected.day])
            #expect(date.days == days)
            #expect(CalendarDate(date.description) == date)
            #expect(CalendarDate(days: days + 1) > date)
        }
    }
}
