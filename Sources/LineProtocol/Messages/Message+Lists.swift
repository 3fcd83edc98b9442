extension Message {
    /// Returns the fields of a variadic argument, separated by spaces.
    package func words(_ argument: DecodedArgument, in buffer: Span<UInt8>) -> [UInt8] {
        let first = Int(argument.number)
        let words = (first..<(first + Int(argument.scale))).map { bytes(elements[$0], in: buffer) }
        return Array(words.joined(separator: [ASCII.space]))
    }

    /// Returns the elements of a list argument.
    func elements(
        _ argument: DecodedArgument, _ signature: ArgumentSignature, in buffer: Span<UInt8>
    ) -> [ArgumentValue] {
        if argument.scale > 0 {
            let first = Int(argument.number)
            var type = signature.elementType
            if case .list(let element, _) = type { type = element }
            return (first..<(first + Int(argument.scale))).map { index in
                value(elements[index], type, in: buffer)
            }
        }
        if case .list(let values)? = ValueConversion.value(
            bytes(argument, in: buffer), signature.type)
        {
            return values
        }
        return []
    }
}
