import LineProtocol

/// A decoder that records which properties are requested and returns empty values for them.
final class ShapeRecorder: Decoder {
    private let signature: CommandSignature
    private(set) var properties: [CommandShape.Property] = []
    private var isNextOptional = false

    init(_ signature: CommandSignature) { self.signature = signature }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Marks the next property as optional. Called when `Codable` checks for nil, which it does
    /// only for optional properties.
    func noteOptional() { isNextOptional = true }

    func note(_ name: String, _ type: Any.Type) -> ArgumentSignature? {
        properties.append(
            CommandShape.Property(name: name, type: type, isOptional: isNextOptional))
        isNextOptional = false
        return signature.argumentIndex(of: name).map { signature.arguments[$0] }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ShapeContainer<Key>(recorder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotKeyed() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NotKeyed() }
}

/// Error for a command type without named properties.
struct NotKeyed: Error, CustomStringConvertible {
    var description: String { "a command type must have named properties" }
}

private struct ShapeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: ShapeRecorder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool {
        recorder.noteOptional()
        return false
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let argument = recorder.note(key.stringValue, type)
        if let type = type as? any CommandArgument.Type, let empty = type.empty as? T {
            return empty
        }
        guard let argument else { return try T(from: ValueDecoder(.absent, .text)) }
        // A choice has no empty word, so use its first word.
        let value: ArgumentValue = if case .choice = argument.type { .choice(0) } else { .absent }
        return try T(from: ValueDecoder(value, argument.type))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw NotKeyed() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw NotKeyed()
    }

    func superDecoder() throws -> any Decoder { throw NotKeyed() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NotKeyed() }
}
