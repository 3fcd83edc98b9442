/// Histograms as other HdrHistogram tools read them: encoding V2, and the compressed form of it.
package enum HistogramCodec {
    private static let cookie: UInt32 = 0x1C84_9313
    private static let compressedCookie: UInt32 = 0x1C84_9314
    /// Counts of three significant digits: 2048 steps a bucket, the lower half of all but the first unused.
    @usableFromInline package static let halfCountMagnitude: UInt64 = 10
    /// The most that one stored block of a zlib stream holds.
    private static let storedBytesMax = 65_535

    /// The place of a value among the counts. Each value has one, so that nothing here can overflow.
    @inlinable @inline(__always)
    package static func place(of value: UInt64) -> Int {
        let bits = UInt64(truncatingIfNeeded: 64 &- (value | 2047).leadingZeroBitCount)
        let bucket = bits &- (halfCountMagnitude &+ 1)
        let place = bucket &<< halfCountMagnitude &+ value &>> bucket
        return Int(truncatingIfNeeded: place)
    }

    /// Encoding V2: a header, then counts as zigzag numbers in which a negative one is a run of zeros.
    package static func encoded(_ histogram: LatencyHistogram) -> [UInt8] {
        var counts: [UInt8] = []
        var next = 0
        for (value, count) in histogram.values {
            let place = place(of: value)
            if place > next { append(zigzag: -Int64(place - next), to: &counts) }
            append(zigzag: Int64(clamping: count), to: &counts)
            next = place + 1
        }
        var bytes: [UInt8] = []
        append(cookie, to: &bytes)
        append(UInt32(counts.count), to: &bytes)
        append(UInt32(0), to: &bytes)
        append(UInt32(3), to: &bytes)
        append(UInt64(1), to: &bytes)
        append(LatencyHistogram.nanosecondsMax, to: &bytes)
        append((1.0).bitPattern, to: &bytes)
        return bytes + counts
    }

    /// The same in a zlib stream that does not compress, which every reader takes.
    package static func compressed(_ histogram: LatencyHistogram) -> [UInt8] {
        let plain = encoded(histogram)
        var stream: [UInt8] = [0x78, 0x01]
        var place = 0
        repeat {
            let count = min(plain.count - place, storedBytesMax)
            let isLast = place + count == plain.count
            stream.append(isLast ? 1 : 0)
            stream += [UInt8(count & 0xFF), UInt8(count >> 8)]
            stream += [UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF)]
            stream += plain[place..<place + count]
            place += count
        } while place < plain.count
        append(adler32(plain), to: &stream)
        var bytes: [UInt8] = []
        append(compressedCookie, to: &bytes)
        append(UInt32(stream.count), to: &bytes)
        return bytes + stream
    }

    /// What is wrong with bytes that should be a histogram.
    package struct Malformed: Error, Sendable, Equatable {
        package var reason: String
    }

    /// The most nanoseconds that all that a histogram counts may take together when it is read: two such
    /// histograms can be added, and nothing overflows.
    static let sumMax: UInt64 = 1 << 62

    /// Reads what ``encoded(_:)`` wrote.
    package static func decode(_ bytes: [UInt8]) throws(Malformed) -> LatencyHistogram {
        guard bytes.count >= 40, number(bytes, 0, 4) == UInt64(cookie) else {
            throw Malformed(reason: "it does not begin as a histogram of encoding V2")
        }
        guard number(bytes, 12, 4) == 3, number(bytes, 16, 8) == 1 else {
            throw Malformed(reason: "it has another layout")
        }
        var histogram = LatencyHistogram()
        var at = 40
        var place = 0
        var total: UInt64 = 0
        while at < bytes.count {
            let number = try zigzag(bytes, &at)
            let count = UInt64(max(number, 0))
            let (time, overflow) = (value(at: place) + 1).multipliedReportingOverflow(by: count)
            total += overflow ? sumMax + 1 : min(time, sumMax + 1)
            guard total <= sumMax else { throw Malformed(reason: "it counts too many") }
            if number < 0 {
                place += Int(clamping: -number)
            } else {
                if number > 0 { histogram.record(value(at: place), count: UInt64(number)) }
                place += 1
            }
            guard place <= Self.place(of: LatencyHistogram.nanosecondsMax) + 1 else {
                throw Malformed(reason: "it has more counts than its layout")
            }
        }
        return histogram
    }

    /// The highest value that is counted there.
    package static func value(at place: Int) -> UInt64 {
        let half = 1 << halfCountMagnitude
        if place < 2 * half { return UInt64(place) }
        let bucket = UInt64(place >> halfCountMagnitude) - 1
        let step = UInt64(place & (half - 1) + half)
        return (step + 1) << bucket - 1
    }

    // MARK: Numbers

    private static func append(zigzag value: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
        for _ in 0..<8 {
            if rest < 0x80 {
                bytes.append(UInt8(rest))
                return
            }
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func zigzag(_ bytes: [UInt8], _ at: inout Int) throws(Malformed) -> Int64 {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard at < bytes.count else { throw Malformed(reason: "it ends within a number") }
            let byte = bytes[at]
            at += 1
            let part = index == 8 ? UInt64(byte) : UInt64(byte & 0x7F)
            value |= part << UInt64(7 * index)
            if byte < 0x80 { break }
        }
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    private static func append<Number: FixedWidthInteger>(
        _ number: Number, to bytes: inout [UInt8]
    ) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
        bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
