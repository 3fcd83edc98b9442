extension Message {
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
