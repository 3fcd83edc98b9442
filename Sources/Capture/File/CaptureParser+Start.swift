extension CaptureParser {
    /// Other formats that users may try to decode, with advice.
    private static let otherFiles: [(start: [UInt8], what: String, help: String)] = [
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed with xz", "xz -dc FILE | linejudge decode -"),
        ([0x42, 0x5A, 0x68], "compressed with bzip2", "bzip2 -dc FILE | linejudge decode -"),
        ([0x04, 0x22, 0x4D, 0x18], "compressed with lz4", "lz4 -dc FILE | linejudge decode -"),
        ([0x50, 0x4B, 0x03, 0x04], "a zip archive", "unpack it first"),
        (Array("snoop".utf8), "a snoop capture", "convert it with `editcap FILE capture.pcapng`"),
        ([0x1F, 0x8B], "compressed twice", "gzip -dc FILE | linejudge decode -"),
    ]

    /// Returns the error for a file that does not start like a capture.
    static func unknownStart(_ bytes: Span<UInt8>, _ offset: Int) -> CaptureError {
        for other in otherFiles where offset + other.start.count <= bytes.count {
            let matches = other.start.indices.allSatisfy { bytes[offset + $0] == other.start[$0] }
            guard matches else { continue }
            return CaptureError(.unsupported, "this file is \(other.what)", help: other.help)
        }
        let digits = (0..<4).map { index in
            let text = String(bytes[offset + index], radix: 16)
            return text.count < 2 ? "0" + text : text
        }
        return CaptureError(
            .notACapture,
            "not a pcap or pcapng file: it starts with the bytes \(digits.joined(separator: " "))",
            help: "create captures with `tcpdump -w FILE` or Wireshark")
    }
}
