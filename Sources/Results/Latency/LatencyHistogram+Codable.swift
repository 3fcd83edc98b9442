import FoundationEssentials

/// Encodes and decodes a histogram for exchange between Linejudge processes: the V2 encoding, the
/// exact minimum and maximum, and the number of clamped values.
extension LatencyHistogram: Codable {
    private enum Key: String, CodingKey {
        case counts, least, most, clamped
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(Data(HistogramCodec.encoded(self)), forKey: .counts)
        try fields.encode(least, forKey: .least)
        try fields.encode(most, forKey: .most)
        try fields.encode(clamped, forKey: .clamped)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let read = try HistogramCodec.decode(Array(fields.decode(Data.self, forKey: .counts)))
        let least = try fields.decode(UInt64.self, forKey: .least)
        let most = try fields.decode(UInt64.self, forKey: .most)
        self.init(
            read, least: least, most: most,
            clamped: try fields.decode(UInt64.self, forKey: .clamped))
    }

    /// Copies a decoded histogram and restores its exact minimum and maximum, which V2 rounds.
    private init(_ read: LatencyHistogram, least: UInt64, most: UInt64, clamped: UInt64) {
        self.init(clamped: clamped)
        for (value, count) in read.values {
            record(stepOf: value, count: count, least: least, most: most)
        }
    }
}
