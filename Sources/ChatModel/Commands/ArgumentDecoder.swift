import LineProtocol

/// Gives the arguments of one line to a command's properties. One serves a connection, line after line, so that
/// a line costs no decoder.
///
/// The line is kept in memory of its own, because a property of a class is copied whole, with a reference for each
/// of its parts, whenever one of its arguments is looked at: a third of the time.
@safe final class ArgumentDecoder: Decoder {
    /// What is known of a line.
    struct Line {
        var message = Message()
        /// What the arguments' ranges point into, while the command is made.
        var buffer: [UInt8] = []
        var plan: BindingPlan?
        /// Which property was asked for last: the next one is most likely the one after it.
        var cursor = -1
    }

    private let line: UnsafeMutablePointer<Line>

    init() {
        unsafe line = UnsafeMutablePointer<Line>.allocate(capacity: 1)
        unsafe line.initialize(to: Line())
    }

    deinit {
        unsafe line.deinitialize(count: 1)
        unsafe line.deallocate()
    }

    /// The line that was decoded last.
    var message: Message {
        _read { yield unsafe line.pointee.message }
        _modify { yield unsafe &line.pointee.message }
    }
    private var buffer: [UInt8] {
        _read { yield unsafe line.pointee.buffer }
        _modify { yield unsafe &line.pointee.buffer }
    }
    private var plan: BindingPlan? {
        _read { yield unsafe line.pointee.plan }
        _modify { yield unsafe &line.pointee.plan }
    }
    private var cursor: Int {
        get { unsafe line.pointee.cursor }
        set { unsafe line.pointee.cursor = newValue }
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The command that the line in `message` is, which was decoded from `buffer` by the plan's dialect.
    func command<Command: ChatCommand>(
        _ plan: BindingPlan, _ buffer: [UInt8]
    ) throws(CommandError) -> Command {
        if !message.issues.isEmpty { try plan.check(message, buffer.span) }
        self.plan = plan
        self.buffer = buffer
        cursor = -1
        // The framer can only go on in its buffer if nobody else holds it.
        defer { self.buffer = [] }
        do {
            return try Command(from: self)
        } catch {
            throw explain(error)
        }
    }

    // MARK: What properties ask for

    /// The place of the property's argument; -1 where the dialect has none.
    @inline(__always)
    func place(_ name: String) -> Int {
        guard let plan else { return -1 }
        let next = cursor &+ 1
        if next < plan.names.count, plan.names[next] == name {
            cursor = next
            return plan.places[next]
        }
        return searchedPlace(name, plan)
    }

    /// The same for a property that is not asked for in turn.
    @inline(never)
    private func searchedPlace(_ name: String, _ plan: BindingPlan) -> Int {
        if let found = plan.names.firstIndex(of: name) { cursor = found }
        return plan.place(of: name)
    }

    /// Whether the property has no argument; it is still the next one to be asked for.
    func isAbsent(_ name: String) -> Bool {
        let before = cursor
        defer { cursor = before }
        return argument(place(name))?.isAbsent ?? true
    }

    /// The argument at `place` as it was decoded.
    @inline(__always)
    func argument(_ place: Int) -> DecodedArgument? {
        place < 0 ? nil : message.arguments[place]
    }

    func string(_ argument: DecodedArgument) -> String {
        let buffer = buffer
        return message.withBytes(argument, in: buffer.span) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    func value(_ place: Int) -> ArgumentValue {
        guard let plan, place >= 0 else { return .absent }
        let buffer = buffer
        return message.value(at: place, of: plan.signature, in: buffer.span)
    }

    func type(_ place: Int) -> ArgumentType {
        guard let plan, place >= 0 else { return .text }
        return plan.types[place]
    }

    // MARK: What goes wrong

    func mismatch(_ name: String, _ reason: String) -> CommandError {
        let place = plan?.place(of: name) ?? -1
        return CommandError(
            .valueMismatch, command: plan?.signature.name ?? "", argument: name,
            position: place < 0 ? nil : place, message: reason)
    }

    /// What went wrong while the command was made, with the argument that was asked for last.
    private func explain(_ error: any Error) -> CommandError {
        if let error = error as? CommandError { return error }
        guard let plan, plan.names.indices.contains(cursor) else {
            return CommandError(
                .valueMismatch, command: plan?.signature.name ?? "", message: reason(error))
        }
        return mismatch(plan.names[cursor], reason(error))
    }

    // MARK: Decoder

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ArgumentContainer<Key>(arguments: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotKeyed() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NotKeyed() }
}

/// What `Codable` or a value's own conversion says is wrong.
func reason(_ error: any Error) -> String {
    switch error {
    case let error as ArgumentMismatch: error.reason
    case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
        DecodingError.valueNotFound(_, let context), DecodingError.keyNotFound(_, let context):
        context.debugDescription
    case Swift.EncodingError.invalidValue(_, let context): context.debugDescription
    default: "\(error)"
    }
}
