extension Message {
    /// The elements of a list argument.
    func elements(
        _ argument: DecodedArgument, _ signature: ArgumentSignature, in buffer: Span<UInt8>
    ) -> [ArgumentValue] {
        if signature.presence == .variadic {
            return variadicElements(argument, signature, in: buffer)
        }
        guard case .list(let element, let separator) = signature.type else { return [] }
        let text = bytes(argument, in: buffer)
        // An empty text is the list of nothing, because a list of one empty element cannot be told from it.
        guard !text.isEmpty else { return [] }
        return text.split(separator: separator, omittingEmptySubsequences: false).map {
            ValueConversion.value(Array($0), element) ?? .absent
        }
    }

    /// A variadic argument's number is its first field's place, its scale how many fields it takes.
    private func variadicElements(
        _ argument: DecodedArgument, _ signature: ArgumentSignature, in buffer: Span<UInt8>
    ) -> [ArgumentValue] {
        let first = Int(argument.number)
        var type = signature.type
        if case .list(let element, _) = type { type = element }
        return split.fields[first..<(first + Int(argument.scale))].map { field in
            var bytes: [UInt8] = []
            do {
                try escapeRule(of: field).decode(buffer, field.range, into: &bytes)
            } catch {
                bytes = buffer.array(field.range)
            }
            return ValueConversion.value(bytes, type) ?? .absent
        }
    }

    private func escapeRule(of field: Field) -> EscapeRule {
        field.form == .trailing ? trailingRule : fieldRule
    }
}
