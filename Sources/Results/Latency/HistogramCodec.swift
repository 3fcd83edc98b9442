/// An encoder and decoder for HdrHistogram's V2 format, plain or compressed.
@usableFromInline
package enum HistogramCodec {
    private static let cookie: UInt32 = 0x1C84_9313
    private static let compressedCookie: UInt32 = 0x1C84_9314
    /// Binary logarithm of half the number of steps per bucket. Three significant digits require
    /// 2048 steps per bucket; the lower half of every bucket except the first is unused.
    @usableFromInline package static let halfCountMagnitude: UInt64 = 10
    /// Maximum size of an uncompressed block in a zlib stream.
    private static let storedBytesMax = 65_535

    /// Returns the index of the counter for a value. Every `UInt64` value has a counter, so the
    /// calculation cannot overflow.
    @inlinable @inline(__always)
    package static func index(of value: UInt64) -> Int {
        let bits = UInt64(truncatingIfNeeded: 64 &- (value | 2047).leadingZeroBitCount)
        let bucket = bits &- (halfCountMagnitude &+ 1)
        let index = bucket &<< halfCountMagnitude &+ value &>> bucket
        return Int(truncatingIfNeeded: index)
    }

    /// Returns the V2 encoding: a header followed by the counts as zigzag-encoded numbers. A
    /// negative number represents a run of zeros.
    package static func encoded(_ histogram: LatencyHistogram) -> [UInt8] {
        var counts: [UInt8] = []
        var next = 0
        for (value, count) in histogram.values {
            let index = index(of: value)
            if index > next { append(zigzag: -Int64(index - next), to: &counts) }
            append(zigzag: Int64(clamping: count), to: &counts)
            next = index + 1
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

    /// Returns the encoding as an uncompressed zlib stream, which every HdrHistogram reader
    /// accepts.
    package static func compressed(_ histogram: LatencyHistogram) -> [UInt8] {
        let plain = encoded(histogram)
        var stream: [UInt8] = [0x78, 0x01]
        var offset = 0
        repeat {
            let count = min(plain.count - offset, storedBytesMax)
            let isLast = offset + count == plain.count
            stream.append(isLast ? 1 : 0)
            stream += [UInt8(count & 0xFF), UInt8(count >> 8)]
            stream += [UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF)]
            stream += plain[offset..<offset + count]
            offset += count
        } while offset < plain.count
        append(adler32(plain), to: &stream)
        var bytes: [UInt8] = []
        append(compressedCookie, to: &bytes)
        append(UInt32(stream.count), to: &bytes)
        return bytes + stream
    }

    /// The error for an invalid histogram.
    package struct Malformed: Error, Sendable, Equatable {
        package var reason: String
    }

    /// Maximum sum of all values in a decoded histogram, in nanoseconds. Two histograms within the
    /// limit can be added without overflow.
    static let sumMax: UInt64 = 1 << 62

    /// Decodes a histogram encoded by ``encoded(_:)``.
    package static func decode(_ bytes: [UInt8]) throws(Malformed) -> LatencyHistogram {
        guard bytes.count >= 40, number(bytes, 0, 4) == UInt64(cookie) else {
            throw Malformed(reason: "missing HdrHistogram V2 header")
        }
        guard number(bytes, 12, 4) == 3, number(bytes, 16, 8) == 1 else {
            throw Malformed(reason: "it has an unsupported layout")
        }
        var histogram = LatencyHistogram()
        var at = 40
        var index = 0
        var total: UInt64 = 0
        while at < bytes.count {
            let number = try zigzag(bytes, &at)
            let count = UInt64(max(number, 0))
            let (time, overflow) = (value(at: index) + 1).multipliedReportingOverflow(by: count)
            total += overflow ? sumMax + 1 : min(time, sumMax + 1)
            guard total <= sumMax else { throw Malformed(reason: "its counts are too large") }
            if number < 0 {
                index.grow(by: Int(clamping: number.magnitude))
            } else {
                if number > 0 { histogram.record(value(at: index), count: UInt64(number)) }
                index += 1
            }
            guard index <= Self.index(of: LatencyHistogram.nanosecondsMax) + 1 else {
                throw Malformed(reason: "it has more counts than its layout allows")
            }
        }
        return histogram
    }

    /// Returns the highest value that is counted at an index.
    package static func value(at index: Int) -> UInt64 {
        let half = 1 << halfCountMagnitude
        if index < 2 * half { return UInt64(index) }
        let step = UInt64(index & (half - 1) + half)
        return (step + 1) << bucket(of: index) - 1
    }

    /// Returns the middle of the values that are counted at an index.
    package static func middle(of index: Int) -> Double {
        let size: UInt64 = 1 << bucket(of: index)
        return Double(value(at: index) + 1 - size + size / 2)
    }

    /// Returns the binary logarithm of the number of values that are counted at an index.
    private static func bucket(of index: Int) -> UInt64 {
        UInt64(max(index >> halfCountMagnitude, 1) - 1)
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
            guard at < bytes.count else {
                throw Malformed(reason: "it ends in the middle of a number")
            }
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

    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
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
