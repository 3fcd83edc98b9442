extension TextBuffer {
    /// Appends an endpoint as text, such as `192.0.2.1:6667` or `[2001:db8::1]:6667`, with a
    /// pseudonym if the output is anonymised.
    mutating func append(_ end: IPEndpoint, _ anonymiser: Anonymiser?) {
        guard anonymiser == nil, let address = end.address.ipv4 else {
            return append(text: end.text(anonymiser))
        }
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            append(magnitude: UInt64(address &>> shift & 0xFF))
            append(shift == 0 ? 0x3A : 0x2E)
        }
        append(magnitude: UInt64(end.port))
    }
}

extension IPEndpoint {
    /// Returns the endpoint as text, with a pseudonym if the output is anonymised.
    func text(_ anonymiser: Anonymiser?) -> String {
        (anonymiser?.endpoint(self) ?? self).text
    }
}
