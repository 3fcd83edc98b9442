public import LineProtocol

/// A table that converts the commands of one side (client or server) to values of one output type.
/// Each command has its own Swift type.
///
/// ```swift
/// var map = CommandMap<Event>(livechat, from: .fromServer)
/// try map.on(DidReceive.self) { .message($0) }
/// try map.on(Refused.self) { .refusal($0) }
/// ```
///
/// One map serves any number of connections, each with its own ``CommandReader``.
public struct CommandMap<Output>: Sendable {
    let dialect: Dialect
    let direction: Direction
    let decoder: MessageDecoder
    private var entries: [Entry?]
    /// Indices of the commands that change the dialect's format rules.
    private var ownFormats: [Int] = []

    /// A declared command's binding, and its conversion to an output value.
    struct Entry: Sendable {
        var plan: BindingPlan
        var make: Make
    }

    /// Converts the line in the decoder to an output value. The line's ranges refer to the buffer.
    typealias Make = @Sendable (ArgumentDecoder, [UInt8]) throws(CommandError) -> Output

    /// Creates an empty map.
    ///
    /// - Parameters:
    ///   - dialect: the dialect of the lines.
    ///   - direction: the side that sends the commands.
    public init(_ dialect: Dialect, from direction: Direction) {
        self.dialect = dialect
        self.direction = direction
        decoder = MessageDecoder(dialect)
        entries = Array(repeating: nil, count: dialect.commands.signatures.count)
    }

    /// Declares how to convert a command. A later declaration of the same command replaces the
    /// earlier one.
    ///
    /// - Parameters:
    ///   - type: the command type.
    ///   - make: converts a command to an output value.
    /// - Throws: ``CommandError`` if the type does not fit the dialect.
    public mutating func on<Command: ChatCommand>(
        _ type: Command.Type, _ make: @escaping @Sendable (Command) -> Output
    ) throws(CommandError) {
        let binding = try CommandBinding(type, in: dialect, from: direction)
        let plan = binding.plan
        let entry = Entry(plan: plan) { (arguments, buffer) throws(CommandError) in
            make(try arguments.command(plan, buffer))
        }
        entries[binding.commandIndex] = entry
        ownFormats.removeAll { $0 == binding.commandIndex }
        if binding.plan.decoder != nil { ownFormats.append(binding.commandIndex) }
    }

    /// Returns the entry for the message's command; nil if the command is not declared.
    ///
    /// If the command has its own format rules, the message is decoded again with those rules. Some
    /// commands can only be recognised with their own rules.
    func entry(_ message: inout Message, _ bytes: Span<UInt8>, _ frame: Frame) -> Entry? {
        if let command = message.command {
            guard let entry = entries[command] else { return nil }
            entry.plan.decoder?.decode(bytes, frame, from: direction, into: &message)
            return message.command == command ? entry : nil
        }
        for command in ownFormats {
            guard let entry = entries[command], let decoder = entry.plan.decoder else { continue }
            decoder.decode(bytes, frame, from: direction, into: &message)
            if message.command == command { return entry }
        }
        return nil
    }
}

extension CommandMap where Output == any ChatCommand {
    /// Declares a command that is itself the output value.
    ///
    /// - Throws: ``CommandError`` if the type does not fit the dialect.
    public mutating func on<Command: ChatCommand>(_ type: Command.Type) throws(CommandError) {
        try on(type) { $0 as any ChatCommand }
    }
}
