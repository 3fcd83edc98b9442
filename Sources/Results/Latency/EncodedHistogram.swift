import FoundationEssentials

/// A histogram in HdrHistogram's V2 format, as base64. It takes far less memory than a decoded one.
package struct EncodedHistogram: Sendable, Equatable {
    private let text: String

    init(_ histogram: LatencyHistogram) {
        text = Data(HistogramCodec.encoded(histogram)).base64EncodedString()
    }

    package func decoded() throws(HistogramCodec.Malformed) -> LatencyHistogram {
        guard let data = Data(base64Encoded: text) else {
            throw HistogramCodec.Malformed(reason: "it is not valid base64")
        }
        return try HistogramCodec.decode(Array(data))
    }
}

extension EncodedHistogram: Codable {
    /// Throws an error if the histogram is damaged, so that the error names the file.
    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        do {
            _ = try decoded()
        } catch {
            let path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
            throw ResultsFileError("`\(path)` is not a valid histogram: \(error.reason)")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
