import LineProtocol

/// Takes the arguments of one command from its properties.
final class ArgumentEncoder: Encoder {
    private let plan: BindingPlan
    /// One for each argument of the signature.
    private(set) var values: [ArgumentValue]
    private var cursor = -1

    init(_ plan: BindingPlan) {
        self.plan = plan
        values = Array(repeating: .absent, count: plan.types.count)
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The place of the property's argument; nil where the dialect has none, so that the value is not sent.
    @inline(__always)
    func place(_ name: String) -> Int? {
        let next = cursor &+ 1
        if next < plan.names.count, plan.names[next] == name {
            cursor = next
            let place = plan.places[next]
            return place < 0 ? nil : place
        }
        return searchedPlace(name)
    }

    @inline(never)
    private func searchedPlace(_ name: String) -> Int? {
        if let found = plan.names.firstIndex(of: name) { cursor = found }
        let place = plan.place(of: name)
        return place < 0 ? nil : place
    }

    func set(_ name: String, _ value: ArgumentValue) {
        if let place = place(name) { values[place] = value }
    }

    func set(_ place: Int, _ value: ArgumentValue) { values[place] = value }

    func type(_ place: Int) -> ArgumentType { plan.types[place] }

    func convert<T: Encodable>(_ value: T, _ name: String) throws {
        guard let place = place(name) else { return }
        do {
            values[place] = try ValueEncoder.argument(value, type(place))
        } catch {
            throw mismatch(place, reason(error))
        }
    }

    /// What went wrong while the command was taken apart, with the argument that was taken last.
    func explain(_ error: any Error) -> CommandError {
        if let error = error as? CommandError { return error }
        guard plan.places.indices.contains(cursor), plan.places[cursor] >= 0 else {
            return CommandError(
                .unsendable, command: plan.signature.name, message: reason(error))
        }
        return mismatch(plan.places[cursor], reason(error))
    }

    private func mismatch(_ place: Int, _ reason: String) -> CommandError {
        CommandError(
            .unsendable, command: plan.signature.name,
            argument: plan.signature.arguments[place].name, position: place, message: reason)
    }

    // MARK: Encoder

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ArgumentTarget<Key>(arguments: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ElementEncoder(ValueBox(.text)) }
    func singleValueContainer() -> any SingleValueEncodingContainer {
        ValueEncoder(ValueBox(.text))
    }
}

/// Where the properties of a command put themselves.
private struct ArgumentTarget<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let arguments: ArgumentEncoder

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {}

    func encode(_ value: Int, forKey key: Key) {
        arguments.set(key.stringValue, .int(Int64(value)))
    }

    func encode(_ value: Int64, forKey key: Key) { arguments.set(key.stringValue, .int(value)) }
    func encode(_ value: Bool, forKey key: Key) { arguments.set(key.stringValue, .bool(value)) }

    func encode(_ value: String, forKey key: Key) throws {
        guard let place = arguments.place(key.stringValue) else { return }
        arguments.set(place, try ValueEncoder.text(value, arguments.type(place)))
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try arguments.convert(value, key.stringValue)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(RefusingContainer<NestedKey>(type: .text))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ElementEncoder(ValueBox(.text))
    }

    func superEncoder() -> any Encoder { arguments }
    func superEncoder(forKey key: Key) -> any Encoder { arguments }
}
