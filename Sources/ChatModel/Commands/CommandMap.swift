public import LineProtocol

/// A declared map from the commands of one side to what is made of them: each name once, each to its type.
///
/// ```swift
/// var map = CommandMap<Event>(livechat, from: .fromServer)
/// try map.on(DidReceive.self) { .message($0) }
/// try map.on(Refused.self) { .refusal($0) }
/// ```
///
/// One value serves any number of connections, with a ``CommandReader`` for each.
public struct CommandMap<Output>: Sendable {
    let dialect: Dialect
    let direction: Direction
    let decoder: MessageDecoder
    private var entries: [Entry?]
    /// Commands whose lines are divided in a way of their own, by place.
    private var ownFormats: [Int] = []

    /// One command.
    struct Entry: Sendable {
        var plan: BindingPlan
        var make: Make
    }

    /// Makes of the line that the decoder holds, and the buffer it stands in, what is declared.
    typealias Make = @Sendable (ArgumentDecoder, [UInt8]) throws(CommandError) -> Output

    /// A map of nothing.
    ///
    /// - Parameter direction: whose commands are read.
    public init(_ dialect: Dialect, from direction: Direction) {
        self.dialect = dialect
        self.direction = direction
        decoder = MessageDecoder(dialect)
        entries = Array(repeating: nil, count: dialect.commands.signatures.count)
    }

    /// Declares what is made of a command. The last declaration of a command counts.
    ///
    /// - Throws: if the type does not fit the dialect's table.
    public mutating func on<Command: ChatCommand>(
        _ type: Command.Type, _ make: @escaping @Sendable (Command) -> Output
    ) throws(CommandError) {
        let binding = try CommandBinding(type, in: dialect, from: direction)
        let plan = binding.plan
        let entry = Entry(plan: plan) { (arguments, buffer) throws(CommandError) in
            make(try arguments.command(plan, buffer))
        }
        entries[binding.place] = entry
        ownFormats.removeAll { $0 == binding.place }
        if binding.plan.decoder != nil { ownFormats.append(binding.place) }
    }

    /// What is declared of the command that `message` is, or nil.
    ///
    /// A command whose line is divided in a way of its own is decoded again, in that way; it may even be one
    /// whose name only shows then.
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
    /// Declares a command that is given out as it is.
    public mutating func on<Command: ChatCommand>(_ type: Command.Type) throws(CommandError) {
        try on(type) { $0 as any ChatCommand }
    }
}
