import LineProtocol

/// Gives the arguments of one line to a command's properties. One serves a connection, line after line.
final class ArgumentDecoder: Decoder {
    private var plan: BindingPlan?
    private var slots: [Slot] = []
    /// Which property was asked for last: the next one is most likely the one after it.
    private var cursor = -1

    /// An argument, in the form in which its property wants it.
    enum Slot {
        case absent
        case number(Int64)
        case string(String)
        case value(ArgumentValue)
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Takes over the arguments of `message`, which was decoded from `buffer` by the plan's dialect.
    func fill(_ plan: BindingPlan, _ message: borrowing Message, _ buffer: Span<UInt8>) {
        self.plan = plan
        cursor = -1
        slots.removeAll(keepingCapacity: true)
        for place in plan.forms.indices {
            let argument = message.arguments[place]
            slots.append(Self.slot(plan, place, argument, message, buffer))
        }
    }

    @inline(__always)
    private static func slot(
        _ plan: BindingPlan, _ place: Int, _ argument: DecodedArgument,
        _ message: borrowing Message, _ buffer: Span<UInt8>
    ) -> Slot {
        if argument.isAbsent { return .absent }
        switch plan.forms[place] {
        case .unused: return .absent
        case .number: return .number(argument.number)
        case .string:
            return .string(
                message.withBytes(argument, in: buffer) { bytes in
                    unsafe bytes.withUnsafeBufferPointer {
                        unsafe String(decoding: $0, as: UTF8.self)
                    }
                })
        case .value: return .value(message.value(at: place, of: plan.signature, in: buffer))
        }
    }

    // MARK: What properties ask for

    /// The argument of the property, or nil where the dialect has none or the line left it out.
    @inline(__always)
    func slot(_ name: String) -> Slot {
        guard let plan else { return .absent }
        let next = cursor + 1
        if next < plan.properties.count, plan.properties[next].name == name {
            cursor = next
            let place = plan.properties[next].place
            return place < 0 ? .absent : slots[place]
        }
        return searchedSlot(name, plan)
    }

    /// The same for a property that is not asked for in turn.
    @inline(never)
    private func searchedSlot(_ name: String, _ plan: BindingPlan) -> Slot {
        if let found = plan.properties.firstIndex(where: { $0.name == name }) { cursor = found }
        return plan.place(of: name).map { slots[$0] } ?? .absent
    }

    /// Whether the property has an argument; the one after this is asked for next.
    func isAbsent(_ name: String) -> Bool {
        defer { cursor -= 1 }
        if case .absent = slot(name) { return true }
        return false
    }

    func value(_ slot: Slot, _ name: String) -> ArgumentValue {
        switch slot {
        case .absent: return .absent
        case .value(let value): return value
        case .string(let string): return .text(string)
        case .number(let number):
            if case .bool = type(name) { return .bool(number != 0) }
            return .int(number)
        }
    }

    /// The type of the property's argument.
    func type(_ name: String) -> ArgumentType {
        guard let plan, let place = plan.place(of: name) else { return .text }
        return plan.signature.arguments[place].type
    }

    func mismatch(_ name: String, _ reason: String) -> CommandError {
        CommandError(
            .valueMismatch, command: plan?.signature.name ?? "", argument: name,
            position: plan?.place(of: name), message: reason)
    }

    /// What went wrong while the command was made, with the argument that was asked for last.
    func explain(_ error: any Error) -> CommandError {
        if let error = error as? CommandError { return error }
        guard let plan, plan.properties.indices.contains(cursor) else {
            return CommandError(
                .valueMismatch, command: plan?.signature.name ?? "", message: reason(error))
        }
        return mismatch(plan.properties[cursor].name, reason(error))
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
