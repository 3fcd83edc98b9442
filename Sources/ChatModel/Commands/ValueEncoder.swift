import LineProtocol

/// A reference to the encoded value, shared by an encoder and its containers.
final class ValueBox {
    let type: ArgumentType
    var value = ArgumentValue.absent

    init(_ type: ArgumentType) { self.type = type }
}

/// An encoder that encodes one property as an argument.
struct ValueEncoder: Encoder {
    let box: ValueBox

    init(_ box: ValueBox) { self.box = box }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Converts `value` to an argument of `type`.
    static func argument<T: Encodable>(
        _ value: T, _ type: ArgumentType
    ) throws -> ArgumentValue {
        if let value = value as? any CommandArgument { return value.argument }
        // An empty array of any element type can be cast to `[UInt8]`, so check the type first.
        if T.self == [UInt8].self, type.isAnyBytes, let value = value as? [UInt8] {
            return .bytes(value)
        }
        let box = ValueBox(type)
        try value.encode(to: ValueEncoder(box))
        return box.value
    }

    /// Converts a string to text or to a word of a choice.
    static func text(
        _ string: String, _ type: ArgumentType
    ) throws(ArgumentMismatch) -> ArgumentValue {
        guard case .choice(let words) = type else { return .text(string) }
        guard let index = words.firstIndex(of: string) else {
            throw ArgumentMismatch(
                "\"\(string)\" is not one of \(words.joined(separator: ", "))")
        }
        return .choice(index)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RefusingContainer<Key>(type: box.type))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ElementEncoder(box) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() {}
    func encode(_ value: Bool) { box.value = .bool(value) }
    func encode(_ value: String) throws { box.value = try Self.text(value, box.type) }
    func encode(_ value: Float) throws { try encode(decimal: "\(value)") }
    func encode(_ value: Double) throws { try encode(decimal: "\(value)") }
    func encode(_ value: Int) throws { try encode(integer: value) }
    func encode(_ value: Int8) throws { try encode(integer: value) }
    func encode(_ value: Int16) throws { try encode(integer: value) }
    func encode(_ value: Int32) throws { try encode(integer: value) }
    func encode(_ value: Int64) throws { try encode(integer: value) }
    func encode(_ value: UInt) throws { try encode(integer: value) }
    func encode(_ value: UInt8) throws { try encode(integer: value) }
    func encode(_ value: UInt16) throws { try encode(integer: value) }
    func encode(_ value: UInt32) throws { try encode(integer: value) }
    func encode(_ value: UInt64) throws { try encode(integer: value) }

    func encode<T: Encodable>(_ value: T) throws {
        box.value = try Self.argument(value, box.type)
    }

    private func encode(integer: some FixedWidthInteger) throws {
        guard let number = Int64(exactly: integer) else {
            throw ArgumentMismatch("\(integer) does not fit in a signed 64-bit integer")
        }
        box.value = .int(number)
    }

    /// Encodes the number as the shortest decimal that reads back as the same number. Numbers that
    /// need an exponent are rejected.
    private func encode(decimal: String) throws {
        guard let value = ValueConversion.value(Array(decimal.utf8), .decimal) else {
            throw ArgumentMismatch("\(decimal) cannot be written as a decimal of at most 18 digits")
        }
        box.value = value
    }
}

/// An encoder for the elements of a list.
struct ElementEncoder: UnkeyedEncodingContainer {
    private let box: ValueBox
    private let element: ArgumentType
    private(set) var count = 0

    init(_ box: ValueBox) {
        self.box = box
        element = if case .list(let element, _) = box.type { element } else { box.type }
        box.value = .list([])
    }

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() throws {
        throw ArgumentMismatch("a list element cannot be omitted")
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        guard case .list(var values) = box.value else { return }
        values.append(try ValueEncoder.argument(value, element))
        box.value = .list(values)
        count += 1
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(RefusingContainer<NestedKey>(type: element))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ElementEncoder(ValueBox(element))
    }

    func superEncoder() -> any Encoder { ValueEncoder(ValueBox(element)) }
}

/// A container that rejects every key, because the value of an argument has no named parts.
struct RefusingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let type: ArgumentType

    var codingPath: [any CodingKey] { [] }

    private var refusal: ArgumentMismatch {
        ArgumentMismatch("values of type \(type.name) have no keys")
    }

    func encodeNil(forKey key: Key) throws { throw refusal }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw refusal }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(RefusingContainer<NestedKey>(type: type))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ElementEncoder(ValueBox(type))
    }

    func superEncoder() -> any Encoder { ValueEncoder(ValueBox(type)) }
    func superEncoder(forKey key: Key) -> any Encoder { ValueEncoder(ValueBox(type)) }
}
