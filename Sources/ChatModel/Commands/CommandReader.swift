import LineProtocol

/// A decoder that reads one connection's commands from a byte stream. Only one thread at a time may
/// use a reader.
public struct CommandReader<Output> {
    private let map: CommandMap<Output>
    private let warn: (CommandWarning) -> Void
    private var framer: LineFramer
    private let arguments = ArgumentDecoder()
    /// Indices of commands already warned about.
    private var warned: Set<Int> = []

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - map: converts commands to output values.
    ///   - warn: called when a line has surplus arguments, but only once for each command of the
    ///     dialect.
    public init(
        _ map: CommandMap<Output>, warn: @escaping (CommandWarning) -> Void = { _ in }
    ) {
        self.map = map
        self.warn = warn
        framer = LineFramer(map.dialect, direction: map.direction, enforcesLimits: true)
    }

    /// Number of buffered bytes of an incomplete line; at most the dialect's maximum frame size.
    public var heldBytes: Int { framer.heldBytes }

    /// Appends received bytes.
    public mutating func append(_ bytes: Span<UInt8>) { framer.append(bytes) }

    /// Appends received bytes.
    public mutating func append(_ bytes: [UInt8]) { framer.append(bytes.span) }

    /// Returns the output value for the next declared command; nil if more bytes are needed.
    /// Commands that the map does not declare are skipped.
    ///
    /// - Throws: ``CommandError`` if a line is invalid or contains a command that the dialect
    ///   lacks. The next call continues with the next line.
    public mutating func next() throws(CommandError) -> Output? {
        while let frame = framer.next() {
            if let issue = frame.issue { throw CommandError(issue) }
            if let output = try read(frame) { return output }
        }
        return nil
    }

    private mutating func read(_ frame: Frame) throws(CommandError) -> Output? {
        let buffer = framer.buffer
        map.decoder.decode(buffer.span, frame, from: map.direction, into: &arguments.message)
        let isKnown = arguments.message.command != nil
        guard let entry = map.entry(&arguments.message, buffer.span, frame) else {
            if isKnown { return nil }
            throw CommandError(
                .unknownCommand, command: quoted(buffer[arguments.message.split.verb]),
                message: "the dialect has no such command")
        }
        if !arguments.message.issues.isEmpty { noteSurplus(entry.plan) }
        return try entry.make(arguments, buffer)
    }

    private mutating func noteSurplus(_ plan: BindingPlan) {
        for case .tooMany(let extra) in arguments.message.issues
        where warned.insert(plan.command).inserted {
            warn(CommandWarning(command: plan.signature.name, extraArguments: extra))
        }
    }
}
