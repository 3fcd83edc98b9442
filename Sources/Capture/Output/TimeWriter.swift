import LineProtocol

/// A formatter for packet times. It formats everything except the fraction only once per second.
struct TimeWriter {
    let format: LogOptions.Times
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

    init(_ format: LogOptions.Times) { self.format = format }

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
            text.append(text: CalendarDate(days: Int(days)).description)
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
}
