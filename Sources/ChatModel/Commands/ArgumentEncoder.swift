import LineProtocol

/// An encoder that converts a command's properties to arguments.
final class ArgumentEncoder: Encoder {
    private let plan: BindingPlan
    /// One value per argument of the signature.
    private(set) var values: [ArgumentValue]
    private var cursor = -1

    init(_ plan: BindingPlan) {
        self.plan = plan
        values = Array(repeating: .absent, count: plan.types.count)
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns the index of the property's argument; nil if the dialect has no such argument, in
    /// which case the value is not sent.
    @inline(__always)
    func index(_ name: String) -> Int? {
        let next = cursor &+ 1
        if next < plan.names.count, plan.names[next] == name {
            cursor = next
            let index = plan.argumentIndices[next]
            return index < 0 ? nil : index
        }
        return searchIndex(name)
    }

    @inline(never)
    private func searchIndex(_ name: String) -> Int? {
        if let found = plan.names.firstIndex(of: name) { cursor = found }
        let index = plan.index(of: name)
        return index < 0 ? nil : index
    }

    func set(_ name: String, _ value: ArgumentValue) {
        if let index = index(name) { values[index] = value }
    }

    func set(_ index: Int, _ value: ArgumentValue) { values[index] = value }

    func type(_ index: Int) -> ArgumentType { plan.types[index] }

    func convert<T: Encodable>(_ value: T, _ name: String) throws {
        guard let index = index(name) else { return }
        do {
            values[index] = try ValueEncoder.argument(value, type(index))
        } catch {
            throw mismatch(index, reason(error))
        }
    }

    /// Converts the error to a ``CommandError`` for the argument being encoded when it occurred.
    func explain(_ error: any Error) -> CommandError {
        if let error = error as? CommandError { return error }
        guard plan.argumentIndices.indices.contains(cursor), plan.argumentIndices[cursor] >= 0
        else {
            return CommandError(
                .unsendable, command: plan.signature.name, message: reason(error))
        }
        return mismatch(plan.argumentIndices[cursor], reason(error))
    }

    private func mismatch(_ index: Int, _ reason: String) -> CommandError {
        CommandError(
            .unsendable, command: plan.signature.name,
            argument: plan.signature.arguments[index].name, position: index, message: reason)
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
        guard let index = arguments.index(key.stringValue) else { return }
        arguments.set(index, try ValueEncoder.text(value, arguments.type(index)))
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
