import LineProtocol

/// A decoder that converts a line's arguments to a command's properties. Each connection reuses one
/// decoder, so no decoder is allocated per line.
///
/// The state of the current line is kept in manually allocated memory. If it were a stored property
/// of the class, every access to an argument would copy and retain it, which would take a third of
/// the decoding time.
@safe final class ArgumentDecoder: Decoder {
    struct Line {
        var message = Message()
        /// The buffer that the argument ranges refer to during decoding.
        var buffer: [UInt8] = []
        var plan: BindingPlan?
        /// Index of the most recently requested property. The property after it is usually
        /// requested next.
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

    /// Decodes the command in `message`, whose ranges refer to `buffer`.
    func command<Command: ChatCommand>(
        _ plan: BindingPlan, _ buffer: [UInt8]
    ) throws(CommandError) -> Command {
        if !message.issues.isEmpty { try plan.check(message, buffer.span) }
        self.plan = plan
        self.buffer = buffer
        cursor = -1
        // Release the buffer: the framer can only reuse it if nothing else holds it.
        defer { self.buffer = [] }
        do {
            return try Command(from: self)
        } catch {
            throw explain(error)
        }
    }

    // MARK: Arguments

    /// Returns the index of the property's argument; -1 if the dialect has no such argument. Also
    /// moves the cursor to the property.
    @inline(__always)
    func index(_ name: String) -> Int {
        guard let plan else { return -1 }
        let next = cursor &+ 1
        if next < plan.names.count, plan.names[next] == name {
            cursor = next
            return plan.argumentIndices[next]
        }
        return searchIndex(name, plan)
    }

    /// Searches for a property requested out of order.
    @inline(never)
    private func searchIndex(_ name: String, _ plan: BindingPlan) -> Int {
        if let found = plan.names.firstIndex(of: name) { cursor = found }
        return plan.index(of: name)
    }

    /// Returns whether the property's argument is missing, without advancing the cursor.
    func isAbsent(_ name: String) -> Bool {
        let before = cursor
        defer { cursor = before }
        return argument(index(name))?.isAbsent ?? true
    }

    /// Returns the decoded argument at `index`; nil if `index` is negative, which means that the
    /// command has no such argument.
    @inline(__always)
    func argument(_ index: Int) -> DecodedArgument? {
        index < 0 ? nil : message.arguments[index]
    }

    func string(_ argument: DecodedArgument) -> String {
        let buffer = buffer
        return message.withBytes(argument, in: buffer.span) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    func value(_ index: Int) -> ArgumentValue {
        guard let plan, index >= 0 else { return .absent }
        let buffer = buffer
        return message.value(at: index, of: plan.signature, in: buffer.span)
    }

    func type(_ index: Int) -> ArgumentType {
        guard let plan, index >= 0 else { return .text }
        return plan.types[index]
    }

    // MARK: Errors

    func mismatch(_ name: String, _ reason: String) -> CommandError {
        let index = plan?.index(of: name) ?? -1
        return CommandError(
            .valueMismatch, command: plan?.signature.name ?? "", argument: name,
            position: index < 0 ? nil : index, message: reason)
    }

    /// Converts the error to a ``CommandError`` for the most recently requested argument.
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

/// Returns the reason given by a `Codable` error or by a value type's own conversion error.
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
