/// A formatter for packet times. It formats everything except the fraction only once per second.
struct TimeWriter {
    /// Format of times.
    enum Format {
        /// Time of day in UTC, such as `12:34:56.123456`.
        case clock
        /// Date and time, such as `2026-11-21T12:34:56.123456789Z`.
        case full
        /// Seconds since the first packet, such as `   12.345678`.
        case relative
    }

    let format: Format
    /// Start of the most recently formatted second. Most lines fall into the same second as the
    /// previous line.
    private var second: Int64 = 0
    private var latest = CaptureRecord.timeUnknown
    private var text = TextBuffer(capacity: 128)
    /// Offset of the fraction digits in `text`.
    private var fractionOffset = 0
    private var first: Int64?
    /// Day of the most recent time, in days since 1970-01-01; nil before the first time.
    private(set) var day: Int64?
    private var dayStart: Int64 = 0

    private static var nanosecondsPerSecond: Int64 { 1_000_000_000 }
    private static var nanosecondsPerDay: Int64 { 86_400 * nanosecondsPerSecond }

    init(_ format: Format) { self.format = format }

    init(for times: LogOptions.Times) {
        switch times {
        case .clock: format = .clock
        case .relative: format = .relative
        case .full: format = .full
        }
    }

    /// Sets the time of the first packet, the reference for relative times.
    mutating func start(at time: Int64) { first = time }

    /// Returns whether the time is on a different day from the previous time.
    @inline(__always)
    mutating func entersDay(_ time: Int64) -> Bool {
        let isInDay = UInt64(bitPattern: time &- dayStart) < UInt64(Self.nanosecondsPerDay)
        return isInDay && day != nil ? false : entersAnotherDay(time)
    }

    @inline(never)
    private mutating func entersAnotherDay(_ time: Int64) -> Bool {
        guard time != CaptureRecord.timeUnknown else { return false }
        let new = Self.floor(time, Self.nanosecondsPerDay).quotient
        dayStart = new &* Self.nanosecondsPerDay
        defer { day = new }
        return day != new
    }

    @inline(__always)
    mutating func append(_ time: Int64, to buffer: inout TextBuffer) {
        if time != latest || text.count == 0 {
            guard time != CaptureRecord.timeUnknown, format != .relative else {
                return appendUnusual(time, to: &buffer)
            }
            set(time)
        }
        buffer.append(padded: text)
    }

    /// Formats a time and stores the result in `text`.
    @inline(__always)
    private mutating func set(_ time: Int64) {
        let isFirst = text.count == 0
        if isFirst || UInt64(bitPattern: time &- second) >= UInt64(Self.nanosecondsPerSecond) {
            setSecond(Self.floor(time, Self.nanosecondsPerSecond).quotient)
        }
        latest = time
        let fraction = UInt64(bitPattern: time &- second)
        text.count = fractionOffset
        if format == .full {
            let first = fraction / DecimalDigits.limit
            text.append(0x30 &+ UInt8(truncatingIfNeeded: first))
            text.append(eightDigits: fraction &- first &* DecimalDigits.limit)
            text.append(0x5A)
        } else {
            text.append(sixDigits: fraction / 1_000)
        }
    }

    @inline(never)
    private mutating func appendUnusual(_ time: Int64, to buffer: inout TextBuffer) {
        guard time != CaptureRecord.timeUnknown else {
            buffer.append(format == .full ? "" : "               ")
            return
        }
        let start = first ?? time
        first = start
        let micros = (time &- start) / 1000
        let text = String(abs(micros) / 1_000_000)
        buffer.append(spaces: 7 - text.utf8.count - (micros < 0 ? 1 : 0))
        if micros < 0 { buffer.append("-") }
        buffer.append(text: text)
        buffer.append(".")
        buffer.append(UInt64(abs(micros) % 1_000_000), digits: 6)
    }

    @inline(never)
    private mutating func setSecond(_ seconds: Int64) {
        second = seconds &* Self.nanosecondsPerSecond
        let (days, rest) = Self.floor(seconds, 86_400)
        text.removeAll()
        if format == .full {
            text.append(text: Self.date(days))
            text.append("T")
        }
        text.append(UInt64(rest / 3600), digits: 2)
        text.append(":")
        text.append(UInt64(rest / 60 % 60), digits: 2)
        text.append(":")
        text.append(UInt64(rest % 60), digits: 2)
        text.append(".")
        fractionOffset = text.count
    }

    @inline(__always)
    private static func floor(_ value: Int64, _ unit: Int64) -> (quotient: Int64, remainder: Int64)
    {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: unit)
        return remainder < 0 ? (quotient - 1, remainder + unit) : (quotient, remainder)
    }

    /// Formats a Gregorian date, given in days since 1970-01-01. For the calculation, years start
    /// in March, so that the leap day is the last day of the year.
    static func date(_ days: Int64) -> String {
        let (era, dayOfEra) = floor(days + 719_468, 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func padded(_ value: Int64, _ digits: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
