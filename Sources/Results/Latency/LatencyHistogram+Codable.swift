import FoundationEssentials

/// Encodes and decodes a histogram for exchange between Linejudge processes: the V2 encoding, the
/// exact minimum and maximum, and the number of clamped values.
extension LatencyHistogram: Codable {
    private enum Key: String, CodingKey {
        case counts
        case minimum = "least"
        case maximum = "most"
        case clamped
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(Data(HistogramCodec.encoded(self)), forKey: .counts)
        try fields.encode(minimum, forKey: .minimum)
        try fields.encode(maximum, forKey: .maximum)
        try fields.encode(clamped, forKey: .clamped)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let read = try HistogramCodec.decode(Array(fields.decode(Data.self, forKey: .counts)))
        let minimum = try fields.decode(UInt64.self, forKey: .minimum)
        let maximum = try fields.decode(UInt64.self, forKey: .maximum)
        self.init(
            read, minimum: minimum, maximum: maximum,
            clamped: try fields.decode(UInt64.self, forKey: .clamped))
    }

    /// Copies a decoded histogram and restores its exact minimum and maximum, which V2 rounds.
    private init(_ read: LatencyHistogram, minimum: UInt64, maximum: UInt64, clamped: UInt64) {
        self.init(clamped: clamped)
        for (value, count) in read.values {
            record(stepOf: value, count: count, minimum: minimum, maximum: maximum)
        }
    }
}
