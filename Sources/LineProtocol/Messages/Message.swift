/// A decoded line: its command and typed arguments.
///
/// The value is made to be reused, one a connection: decoding another line keeps the room that the parts
/// took, so that in the steady state nothing is allocated. Ranges point into the buffer that the line was
/// decoded from and hold as long as it does.
public struct Message: Sendable {
    /// The place of the command in ``CommandTable/signatures``, or nil if it is unknown.
    public internal(set) var command: Int?
    /// Who sent it.
    public internal(set) var direction = Direction.fromServer
    /// One for each argument of the signature.
    public internal(set) var arguments = ReusableArray<DecodedArgument>()
    /// The line's parts as they stand, still escaped.
    public internal(set) var split = SplitLine()
    /// The payload after the line.
    public internal(set) var payload: Range<Int>?
    /// Whether the payload is a dot-terminated block, still dot-stuffed.
    public internal(set) var payloadIsBlock = false
    @usableFromInline var extra = Extra()

    /// What most lines do not have.
    @usableFromInline
    struct Extra: Sendable {
        /// What had to be unescaped.
        @usableFromInline var scratch: [UInt8] = []
        /// The elements of variadic arguments.
        var elements = ReusableArray<DecodedArgument>()
        var issues: [MessageIssue] = []

        @usableFromInline init() {}

        @inline(__always)
        mutating func clear() {
            elements.removeAll()
            if !scratch.isEmpty { scratch.removeAll(keepingCapacity: true) }
            if !issues.isEmpty { issues.removeAll(keepingCapacity: true) }
        }
    }

    /// A message of nothing, to be decoded into.
    public init() {}

    /// What is not as declared.
    public var issues: [MessageIssue] { extra.issues }

    /// The elements of variadic arguments.
    public var elements: ReusableArray<DecodedArgument> { extra.elements }

    /// The text that the argument was read from, unescaped; empty where it is missing.
    public func bytes(_ argument: DecodedArgument, in buffer: Span<UInt8>) -> [UInt8] {
        argument.isInScratch
            ? extra.scratch.span.array(argument.range) : buffer.array(argument.range)
    }

    /// Calls `body` with the text that the argument was read from, unescaped, without copying it.
    @inlinable
    public func withBytes<Result, Failure: Error>(
        _ argument: DecodedArgument, in buffer: Span<UInt8>,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        argument.isInScratch
            ? try body(extra.scratch.span.extracting(argument.range))
            : try body(buffer.extracting(argument.range))
    }

    /// The argument at `place` as a value of its own.
    ///
    /// - Parameters:
    ///   - signature: the command's signature.
    ///   - buffer: what the line was decoded from.
    public func value(
        at place: Int, of signature: CommandSignature, in buffer: Span<UInt8>
    ) -> ArgumentValue {
        guard arguments.indices.contains(place), signature.arguments.indices.contains(place)
        else { return .absent }
        let argument = arguments[place]
        guard argument.kind == .list else {
            return value(argument, signature.arguments[place].type, in: buffer)
        }
        return .list(elements(argument, signature.arguments[place], in: buffer))
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

    /// Every argument as a value of its own.
    public func values(of signature: CommandSignature, in buffer: Span<UInt8>) -> [ArgumentValue] {
        arguments.indices.map { value(at: $0, of: signature, in: buffer) }
    }
}
