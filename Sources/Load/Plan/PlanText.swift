/// Parsers for values in plans and options, such as rates, think times and mixes.
package enum PlanText {
    /// Maximum rate per second: one send every 100 ns.
    package static let rateMax = 10_000_000.0

    /// A malformed value, with a description of what was expected.
    package struct Malformed: Error, Sendable, Equatable {
        package var expected: String
    }

    /// Parses a rate such as `2000/s`, `90/m` or `2000` (per second).
    package static func rate(_ text: String) throws(Malformed) -> Double {
        let units: [(String, Double)] = [("/s", 1), ("/m", 60), ("/h", 3600)]
        let unit = units.first { text.hasSuffix($0.0) }
        let number = Double(text.dropLast(unit?.0.count ?? 0)).map { $0 / (unit?.1 ?? 1) }
        guard let number, number > 0, number <= rateMax else {
            throw Malformed(expected: "a rate, such as 2000/s or 90/m")
        }
        return number
    }

    /// Parses a byte rate such as `200B/s`, `1.5KiB/s` or `200` (per second).
    package static func byteRate(_ text: String) throws(Malformed) -> Double {
        let number = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
        guard let bytes = bytes(number),
            (OperatorBehaviour.bytesPerSecondMin...OperatorBehaviour.bytesPerSecondMax).contains(
                bytes)
        else { throw Malformed(expected: "bytes per second, such as 200B/s or 4KiB/s") }
        return bytes
    }

    /// Parses a receive buffer size, such as `4096`, `4KiB` or `1MB`.
    package static func receiveBuffer(_ text: String) throws(Malformed) -> Int {
        let range = OperatorBehaviour.receiveBufferMin...OperatorBehaviour.receiveBufferMax
        guard let bytes = bytes(text), let size = Int(exactly: bytes), range.contains(size) else {
            throw Malformed(
                expected: "a size from \(range.lowerBound) to \(range.upperBound) bytes, "
                    + "such as 4KiB")
        }
        return size
    }

    private static func bytes(_ text: String) -> Double? {
        let units: [(String, Double)] = [
            ("KiB", 1024), ("MiB", 1_048_576), ("KB", 1e3), ("MB", 1e6), ("B", 1),
        ]
        let unit = units.first { text.hasSuffix($0.0) }
        return Double(text.dropLast(unit?.0.count ?? 0)).map { $0 * (unit?.1 ?? 1) }
    }

    /// Parses a constant rate or a linear ramp, such as `100/s` or `100/s..500/s`. Both may be 0: a
    /// stage may start or end without arrivals, or be a pause.
    static func rates(_ text: String) throws(Malformed) -> (start: Double, end: Double) {
        func read(_ text: String) throws(Malformed) -> Double {
            ["0", "0/s", "0/m", "0/h"].contains(text) ? 0 : try rate(text)
        }
        guard let dots = text.firstRange(of: "..") else {
            let rate = try read(text)
            return (rate, rate)
        }
        return (
            try read(String(text[..<dots.lowerBound])), try read(String(text[dots.upperBound...]))
        )
    }

    /// Parses a think time such as `1s`, `1s..3s`, `~1s` or `0`. `time` parses a single duration.
    package static func think(
        _ text: String, time: (String) -> Int64?
    ) throws(Malformed) -> ThinkTime {
        let malformed = Malformed(
            expected: "a think time, such as 1s, 1s..3s, or ~1s for a random one")
        func read(_ text: some StringProtocol) throws(Malformed) -> Int64 {
            guard let time = time(String(text)), time > 0 else { throw malformed }
            return time
        }
        if text == "0" { return .constant(0) }
        if text.hasPrefix("~") { return .exponential(mean: try read(text.dropFirst())) }
        guard let dots = text.firstRange(of: "..") else { return .constant(try read(text)) }
        let minimum = try read(text[..<dots.lowerBound])
        let maximum = try read(text[dots.upperBound...])
        guard minimum <= maximum else {
            throw Malformed(expected: "a think time with the lower bound first")
        }
        return .uniform(minimum: minimum, maximum: maximum)
    }
}
