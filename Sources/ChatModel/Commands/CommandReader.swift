import LineProtocol

/// Reads the commands of one connection: bytes in, as they come; what the map makes of them out.
public struct CommandReader<Output> {
    private let map: CommandMap<Output>
    private let warn: (CommandWarning) -> Void
    private var framer: LineFramer
    private let arguments = ArgumentDecoder()
    /// Commands whose surplus has been told, by place.
    private var warned: Set<Int> = []

    /// - Parameter warn: is told of surplus arguments, once for each command.
    public init(
        _ map: CommandMap<Output>, warn: @escaping (CommandWarning) -> Void = { _ in }
    ) {
        self.map = map
        self.warn = warn
        framer = LineFramer(map.dialect, direction: map.direction, enforcesLimits: true)
    }

    /// How many bytes wait for the rest of their line. No more than the dialect's longest frame.
    public var heldBytes: Int { framer.heldBytes }

    /// Adds what was read.
    public mutating func append(_ bytes: Span<UInt8>) { framer.append(bytes) }

    /// Adds what was read.
    public mutating func append(_ bytes: [UInt8]) { framer.append(bytes.span) }

    /// What is made of the next command, or nil if more bytes are needed. Lines of commands that the map does
    /// not have, but the dialect has, are passed over.
    ///
    /// - Throws: what is wrong with the line. The next call goes on with the next line.
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
                .unknownCommand, command: shown(buffer[arguments.message.split.verb]),
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
