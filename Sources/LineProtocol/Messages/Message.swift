/// A decoded line: its command and typed arguments.
///
/// Use one value per connection: decoding the next line reuses its memory, so nothing is allocated
/// in the steady state. Ranges refer to the buffer that contains the decoded line, and are valid as
/// long as that buffer is.
public struct Message: Sendable {
    /// Index of the command in ``CommandTable/signatures``, or nil if it is unknown.
    public internal(set) var command: Int?
    /// The direction of the line.
    public internal(set) var direction = Direction.fromServer
    /// The decoded arguments, one for each argument of the signature.
    public internal(set) var arguments = ReusableArray<DecodedArgument>()
    /// The parts of the line, still escaped.
    public internal(set) var split = SplitLine()
    /// The payload after the line; nil if there is none.
    public internal(set) var payload: Range<Int>?
    /// True if the payload is a dot-terminated block, which is still dot-stuffed.
    public internal(set) var payloadIsBlock = false
    @usableFromInline var extra = Extra()

    /// Data that is not needed for most lines.
    @usableFromInline
    struct Extra: Sendable {
        /// The unescaped bytes of the arguments that were escaped.
        @usableFromInline var scratch: [UInt8] = []
        var elements = ReusableArray<DecodedArgument>()
        @usableFromInline var issues: [MessageIssue] = []

        @usableFromInline init() {}

        @inline(__always)
        mutating func clear() {
            elements.removeAll()
            if !scratch.isEmpty { scratch.removeAll(keepingCapacity: true) }
            if !issues.isEmpty { issues.removeAll(keepingCapacity: true) }
        }
    }

    /// Creates an empty message to decode into.
    public init() {}

    /// Deviations from the command's signature.
    @inlinable public var issues: [MessageIssue] { extra.issues }

    /// The elements of variadic arguments and JSON arrays.
    public var elements: ReusableArray<DecodedArgument> { extra.elements }

    /// The unescaped bytes of the arguments that were escaped.
    @inlinable package var unescaped: [UInt8] { extra.scratch }

    /// Returns the unescaped bytes of an argument; empty if it is omitted.
    public func bytes(_ argument: DecodedArgument, in buffer: Span<UInt8>) -> [UInt8] {
        argument.isInScratch
            ? extra.scratch.span.array(argument.range) : buffer.array(argument.range)
    }

    /// Calls `body` with the unescaped bytes of an argument without copying them.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        _ argument: DecodedArgument, in buffer: Span<UInt8>,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        argument.isInScratch
            ? try body(extra.scratch.span.extracting(argument.range))
            : try body(buffer.extracting(argument.range))
    }

    /// Returns a copy of an argument; `.absent` if the command has no argument at this index.
    ///
    /// - Parameters:
    ///   - index: the index of the argument, from 0.
    ///   - signature: the signature of the command.
    ///   - buffer: the buffer that contains the decoded line.
    public func value(
        at index: Int, of signature: CommandSignature, in buffer: Span<UInt8>
    ) -> ArgumentValue {
        guard arguments.indices.contains(index), signature.arguments.indices.contains(index)
        else { return .absent }
        let argument = arguments[index]
        guard argument.kind == .list else {
            return value(argument, signature.arguments[index].type, in: buffer)
        }
        return .list(elements(argument, signature.arguments[index], in: buffer))
    }

    func value(
        _ argument: DecodedArgument, _ type: ArgumentType, in buffer: Span<UInt8>
    ) -> ArgumentValue {
        switch argument.kind {
        case .absent: .absent
        case .int: .int(argument.number)
        case .bool: .bool(argument.number != 0)
        case .decimal:
            .decimal(Decimal64(unscaled: argument.number, scale: Int(argument.scale)))
        case .time: .time(argument.number)
        case .choice: .choice(Int(argument.number))
        case .text: .text(bytes(argument, in: buffer))
        case .bytes: .bytes(bytes(argument, in: buffer))
        case .json: .json(bytes(argument, in: buffer))
        case .xml: .xml(bytes(argument, in: buffer))
        case .list: ValueConversion.value(bytes(argument, in: buffer), type) ?? .list([])
        }
    }

    /// Returns copies of all arguments.
    public func values(of signature: CommandSignature, in buffer: Span<UInt8>) -> [ArgumentValue] {
        arguments.indices.map { value(at: $0, of: signature, in: buffer) }
    }
}
