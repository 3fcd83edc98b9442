extension CaptureParser {
    /// Files that people take for captures, or that hold one.
    private static let otherFiles: [(start: [UInt8], what: String, help: String)] = [
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed with xz", "xz -dc FILE | linejudge decode -"),
        ([0x42, 0x5A, 0x68], "compressed with bzip2", "bzip2 -dc FILE | linejudge decode -"),
        ([0x04, 0x22, 0x4D, 0x18], "compressed with lz4", "lz4 -dc FILE | linejudge decode -"),
        ([0x50, 0x4B, 0x03, 0x04], "a zip archive", "unpack it first"),
        (Array("snoop".utf8), "a snoop capture", "editcap FILE capture.pcapng turns it into one"),
        ([0x1F, 0x8B], "compressed twice", "gzip -dc FILE | linejudge decode -"),
    ]

    /// What is told of a file that starts otherwise than a capture.
    static func unknownStart(_ bytes: Span<UInt8>, _ place: Int) -> CaptureError {
        for other in otherFiles where place + other.start.count <= bytes.count {
            let isIt = other.start.indices.allSatisfy { bytes[place + $0] == other.start[$0] }
            guard isIt else { continue }
            return CaptureError(.unsupported, "this file is \(other.what)", help: other.help)
        }
        let digits = (0..<4).map { index in
            let text = String(bytes[place + index], radix: 16)
            return text.count < 2 ? "0" + text : text
        }
        return CaptureError(
            .notACapture,
            "this is no capture: pcap and pcapng files do not start with \(digits.joined(separator: " "))",
            help: "tcpdump -w FILE and Wireshark write captures")
    }
}
