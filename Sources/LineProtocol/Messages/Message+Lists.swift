extension Message {
    /// Returns the elements of a list argument.
    func elements(
        _ argument: DecodedArgument, _ signature: ArgumentSignature, in buffer: Span<UInt8>
    ) -> [ArgumentValue] {
        if signature.presence == .variadic, signature.isPositional {
            let first = Int(argument.number)
            let type = signature.elementType
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
