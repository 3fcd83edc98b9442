/// A search for names in DER-encoded X.509 certificates (RFC 5280).
enum CertificateSearch {
    private static let commonName: [UInt8] = [0x55, 0x04, 0x03]
    private static let alternativeName: [UInt8] = [0x55, 0x1D, 0x11]

    /// A DER value and its tag.
    private struct Value {
        var tag: UInt8
        var bytes: ArraySlice<UInt8>

        /// The nested values, up to the first incomplete one.
        var parts: [Value] {
            var rest = bytes
            var parts: [Value] = []
            while let part = Value(&rest) { parts.append(part) }
            return parts
        }

        /// Removes a value from the start of `rest`; nil if it is incomplete.
        init?(_ rest: inout ArraySlice<UInt8>) {
            guard rest.count >= 2 else { return nil }
            let tag = rest[rest.startIndex]
            var count = Int(rest[rest.startIndex + 1])
            var bytes = rest.dropFirst(2)
            if count >= 0x80 {
                let size = count & 0x7F
                guard (1...3).contains(size), bytes.count >= size else { return nil }
                count = bytes.prefix(size).reduce(0) { $0 << 8 | Int($1) }
                bytes = bytes.dropFirst(size)
            }
            guard bytes.count >= count else { return nil }
            self.tag = tag
            self.bytes = bytes.prefix(count)
            rest = bytes.dropFirst(count)
        }
    }

    /// Returns the DNS names and IP addresses for which a certificate is valid or, if it lists none,
    /// the common name of its subject.
    static func find(in certificate: [UInt8]) -> [[UInt8]] {
        var rest = certificate[...]
        guard let fields = Value(&rest)?.parts.first?.parts else { return [] }
        // The extensions are in a field with tag 3.
        let extensions = fields.last { $0.tag == 0xA3 }?.parts.first?.parts ?? []
        let alternative = extensions.first {
            $0.parts.first.map { Array($0.bytes) } == alternativeName
        }
        if var value = alternative?.parts.last?.bytes, let list = Value(&value) {
            let names = list.parts.compactMap(name)
            if !names.isEmpty { return names }
        }
        // Before the subject: version (optional), serial number, algorithm, issuer and validity.
        let subject = fields.drop { $0.tag == 0xA0 }.dropFirst(4).first
        let attributes = (subject?.parts ?? []).flatMap(\.parts)
        return attributes.compactMap { attribute in
            let parts = attribute.parts
            guard parts.count == 2, Array(parts[0].bytes) == commonName else { return nil }
            return Array(parts[1].bytes)
        }
    }

    private static func name(_ value: Value) -> [UInt8]? {
        switch (value.tag, value.bytes.count) {
        case (0x82, _): return Array(value.bytes)
        case (0x87, 4):
            let number = value.bytes.reduce(0) { $0 << 8 | UInt32($1) }
            return Array(IPAddress(ipv4: number).text.utf8)
        case (0x87, 16):
            let high = value.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            let low = value.bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
            return Array(IPAddress(high: high, low: low).text.utf8)
        default: return nil
        }
    }
}
