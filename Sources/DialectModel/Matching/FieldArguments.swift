package import LineProtocol

extension CommandSignature {
    /// Returns, for each field of a line, the argument that it holds; nil for fields that the
    /// command does not declare.
    package func arguments(
        of fields: ReusableArray<Field>, in buffer: Span<UInt8>
    ) -> [ArgumentSignature?] {
        let ordered = arguments.filter { argument in
            switch argument.position {
            case .field, .payloadLength, .correlation: true
            default: false
            }
        }
        var index = 0
        return fields.map { field in
            if let key = field.key {
                let name = buffer.array(key)
                return arguments.first { $0.position == .key(name) }
            }
            defer { index += 1 }
            return index < ordered.count ? ordered[index] : nil
        }
    }
}
