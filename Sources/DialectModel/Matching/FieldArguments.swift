package import LineProtocol

extension CommandSignature {
    /// Returns, for each field of a line, the argument that it holds; nil for fields that the
    /// command does not declare, and for all but the first field of a variadic argument.
    package func arguments(
        of fields: ReusableArray<Field>, in buffer: Span<UInt8>
    ) -> [ArgumentSignature?] {
        let ordered = arguments.filter { argument in
            switch argument.position {
            case .field, .payloadLength, .correlation: true
            default: false
            }
        }
        // Required arguments get their fields first, as in decoding.
        var spare = max(0, fields.count { $0.key == nil } - ordered.count(where: \.isRequired))
        var inOrder: [ArgumentSignature?] = []
        for argument in ordered where argument.isRequired || spare > 0 {
            inOrder.append(argument)
            if argument.presence == .variadic {
                inOrder += Array(repeating: nil, count: spare - 1)
                spare = 0
            } else if !argument.isRequired {
                spare -= 1
            }
        }
        var index = 0
        return fields.map { field in
            if let key = field.key {
                let name = buffer.array(key)
                return arguments.first { $0.position == .key(name) }
            }
            defer { index += 1 }
            return index < inOrder.count ? inOrder[index] : nil
        }
    }
}
