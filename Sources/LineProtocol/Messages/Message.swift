/// A decoded line: its command and typed arguments.
///
/// The value is made to be reused, one a connection: decoding another line keeps the room that the parts
/// took, so that in the steady state nothing is allocated. Ranges point into the buffer that the line was
/// decoded from and hold as long as it does.
public struct Message: Sendable {
    /// The place of the command in ``CommandTable/signatures``, or nil if it is unknown.
    public internal(set) var command: Int?
    public internal(set) var direction = Direction.fromServer
    /// One for each argument of the signature.
    public internal(set) var arguments: [DecodedArgument] = []
    public internal(set) var issues: [MessageIssue] = []
    /// The line's parts as they stand, still escaped.
    public internal(set) var split = SplitLine()
    /// The payload after the line.
    public internal(set) var payload: Range<Int>?
    var scratch: [UInt8] = []
    var fieldRule = EscapeRule.none(forbidden: [])
    var trailingRule = EscapeRule.none(forbidden: [])

    public init() {}

    /// The argument's bytes, unescaped; empty for numbers.
    public func bytes(_ argument: DecodedArgument, in buffer: Span<UInt8>) -> [UInt8] {
        argument.isInScratch ? scratch.span.array(argument.range) : buffer.array(argument.range)
    }

    /// Calls `body` with the argument's bytes, unescaped, without copying them.
    @inlinable
    public func withBytes<Result>(
        _ argument: DecodedArgument, in buffer: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result {
        argument.isInScratch
            ? body(scratchBytes.span.extracting(argument.range))
            : body(buffer.extracting(argument.range))
    }

    @usableFromInline var scratchBytes: [UInt8] { scratch }

    /// The argument at `place` as a value of its own.
    ///
    /// - Parameters:
    ///   - signature: the command's signature.
    ///   - buffer: what the line was decoded from.
    public func value(
        at place: Int, of signature: CommandSignature, in buffer: Span<UInt8>
    ) -> ArgumentValue {
        guard arguments.indices.contains(place) else { return .absent }
        let argument = arguments[place]
        switch argument.kind {
        case .absent: return .absent
        case .int: return .int(argument.number)
        case .bool: return .bool(argument.number != 0)
        case .decimal:
            return .decimal(Decimal64(unscaled: argument.number, scale: Int(argument.scale)))
        case .time: return .time(argument.number)
        case .choice: return .choice(Int(argument.number))
        case .text: return .text(bytes(argument, in: buffer))
        case .bytes: return .bytes(bytes(argument, in: buffer))
        case .json: return .json(bytes(argument, in: buffer))
        case .xml: return .xml(bytes(argument, in: buffer))
        case .list: return .list(elements(argument, signature.arguments[place], in: buffer))
        }
    }

    /// Every argument as a value of its own.
    public func values(of signature: CommandSignature, in buffer: Span<UInt8>) -> [ArgumentValue] {
        arguments.indices.map { value(at: $0, of: signature, in: buffer) }
    }
}
