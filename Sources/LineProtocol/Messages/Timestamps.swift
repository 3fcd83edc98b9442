/// Time conversion between wire formats and nanoseconds since 1970-01-01T00:00:00Z.
enum Timestamps {
    static let nanosecondsPerSecond: Int64 = 1_000_000_000

    static func parse(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ format: TimeFormat
    ) -> Int64? {
        switch format {
        case .unixSeconds: unix(bytes, range, unitDigits: 9)
        case .unixMilliseconds: unix(bytes, range, unitDigits: 6)
        case .rfc3339: rfc3339(bytes, range)
        }
    }

    static func append(_ time: Int64, _ format: TimeFormat, to target: inout [UInt8]) {
        switch format {
        case .unixSeconds: LineProtocol.append(floorDivide(time, nanosecondsPerSecond), to: &target)
        case .unixMilliseconds: LineProtocol.append(floorDivide(time, 1_000_000), to: &target)
        case .rfc3339: appendRFC3339(time, to: &target)
        }
    }

    /// Parses a decimal number in units of 10^`unitDigits` nanoseconds. Fractions of a nanosecond
    /// are dropped. Returns nil if the number is malformed or too large.
    private static func unix(
        _ bytes: Span<UInt8>, _ range: Range<Int>, unitDigits: Int
    ) -> Int64? {
        guard let number = Decimal64(bytes, range) else { return nil }
        var value = number.unscaled
        for _ in 0..<max(0, number.scale - unitDigits) { value /= 10 }
        for _ in 0..<max(0, unitDigits - number.scale) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            value = product
        }
        return value
    }

    /// Parses `YYYY-MM-DDThh:mm:ss[.fraction](Z|±hh:mm)` (RFC 3339 §5.6); returns nil if the text
    /// does not have this form. Second 60 is parsed as the first second of the next minute.
    private static func rfc3339(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        let text = bytes.extracting(range)
        guard text.count >= 20, text[4] == ASCII.minus, text[7] == ASCII.minus,
            text[10] | 0x20 == UInt8(ascii: "t"), text[13] == ASCII.colon, text[16] == ASCII.colon
        else { return nil }
        let century = twoDigits(text, 0)
        let yearOfCentury = twoDigits(text, 2)
        let month = twoDigits(text, 5)
        let day = twoDigits(text, 8)
        let hour = twoDigits(text, 11)
        let minute = twoDigits(text, 14)
        let second = twoDigits(text, 17)
        guard century < 100, yearOfCentury < 100, hour < 24, minute < 60, second <= 60,
            let date = CalendarDate(year: century * 100 + yearOfCentury, month: month, day: day)
        else { return nil }
        var position = 19
        guard let fraction = fraction(text, &position), let offset = offset(text, position) else {
            return nil
        }
        let seconds =
            Int64(date.days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second) - offset
        let (product, overflow) = seconds.multipliedReportingOverflow(by: nanosecondsPerSecond)
        let (sum, overflow2) = product.addingReportingOverflow(fraction)
        return overflow || overflow2 ? nil : sum
    }

    /// Returns the two-digit number at `position`; at least 1000 if it is invalid.
    private static func twoDigits(_ text: Span<UInt8>, _ position: Int) -> Int {
        let high = text[position] &- ASCII.zero
        let low = text[position + 1] &- ASCII.zero
        return high < 10 && low < 10 ? Int(high) * 10 + Int(low) : 1_000
    }

    /// Parses an optional fraction and moves `position` past it. Returns the fraction in
    /// nanoseconds, 0 if there is none, or nil if it is invalid.
    private static func fraction(_ text: Span<UInt8>, _ position: inout Int) -> Int64? {
        guard position < text.count, text[position] == ASCII.dot else { return 0 }
        position += 1
        var value: Int64 = 0
        var unit: Int64 = 100_000_000
        let start = position
        while position < text.count, ASCII.isDigit(text[position]) {
            value += Int64(text[position] - ASCII.zero) * unit
            unit /= 10
            position += 1
        }
        return position > start ? value : nil
    }

    /// Returns the offset from UTC in seconds, or nil if the text does not end with a valid offset.
    private static func offset(_ text: Span<UInt8>, _ position: Int) -> Int64? {
        guard position < text.count else { return nil }
        if text[position] | 0x20 == UInt8(ascii: "z") {
            return position + 1 == text.count ? 0 : nil
        }
        guard position + 6 == text.count,
            text[position] == ASCII.minus || text[position] == ASCII.plus,
            text[position + 3] == ASCII.colon
        else { return nil }
        let hours = twoDigits(text, position + 1)
        let minutes = twoDigits(text, position + 4)
        guard hours < 24, minutes < 60 else { return nil }
        let seconds = Int64(hours * 3_600 + minutes * 60)
        return text[position] == ASCII.minus ? -seconds : seconds
    }

    private static func appendRFC3339(_ time: Int64, to target: inout [UInt8]) {
        let seconds = floorDivide(time, nanosecondsPerSecond)
        let nanoseconds = time - seconds * nanosecondsPerSecond
        let days = floorDivide(seconds, 86_400)
        let date = CalendarDate(days: Int(days))
        let clock = Int(seconds - days * 86_400)
        appendPadded(date.year, digits: 4, to: &target)
        target.append(ASCII.minus)
        appendPadded(date.month, digits: 2, to: &target)
        target.append(ASCII.minus)
        appendPadded(date.day, digits: 2, to: &target)
        target.append(UInt8(ascii: "T"))
        appendPadded(clock / 3_600, digits: 2, to: &target)
        target.append(ASCII.colon)
        appendPadded(clock / 60 % 60, digits: 2, to: &target)
        target.append(ASCII.colon)
        appendPadded(clock % 60, digits: 2, to: &target)
        appendFraction(Int(nanoseconds), to: &target)
        target.append(UInt8(ascii: "Z"))
    }

    /// Appends three decimal places, or six or nine if the time needs that precision.
    private static func appendFraction(_ nanoseconds: Int, to target: inout [UInt8]) {
        target.append(ASCII.dot)
        if nanoseconds % 1_000_000 == 0 {
            appendPadded(nanoseconds / 1_000_000, digits: 3, to: &target)
        } else if nanoseconds % 1_000 == 0 {
            appendPadded(nanoseconds / 1_000, digits: 6, to: &target)
        } else {
            appendPadded(nanoseconds, digits: 9, to: &target)
        }
    }

    private static func appendPadded(_ value: Int, digits: Int, to target: inout [UInt8]) {
        var unit = 1
        for _ in 1..<digits { unit *= 10 }
        while unit > 0 {
            target.append(ASCII.zero + UInt8(truncatingIfNeeded: value / unit % 10))
            unit /= 10
        }
    }

    private static func floorDivide(_ value: Int64, _ unit: Int64) -> Int64 {
        let quotient = value / unit
        return value % unit < 0 ? quotient - 1 : quotient
    }
}
