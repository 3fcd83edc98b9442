import LineProtocol

/// A command's arguments by the names of its properties.
struct ArgumentContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let arguments: ArgumentDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { !arguments.isAbsent(key.stringValue) }
    func decodeNil(forKey key: Key) -> Bool { arguments.isAbsent(key.stringValue) }

    // What most properties are, without detours.

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let name = key.stringValue
        let slot = arguments.slot(name)
        if case .string(let string) = slot { return string }
        return try converted(type, slot, name)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        let name = key.stringValue
        let slot = arguments.slot(name)
        if case .number(let number) = slot { return number != 0 }
        return try converted(type, slot, name)
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        let name = key.stringValue
        let slot = arguments.slot(name)
        if case .number(let number) = slot, let number = Int(exactly: number) { return number }
        return try converted(type, slot, name)
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        let name = key.stringValue
        let slot = arguments.slot(name)
        if case .number(let number) = slot { return number }
        return try converted(type, slot, name)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let name = key.stringValue
        return try converted(type, arguments.slot(name), name)
    }

    @inline(never)
    private func converted<T: Decodable>(
        _ type: T.Type, _ slot: ArgumentDecoder.Slot, _ name: String
    ) throws -> T {
        let value = arguments.value(slot, name)
        do {
            return try ValueDecoder.value(type, value, arguments.type(name), [])
        } catch {
            throw arguments.mismatch(name, reason(error))
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw NotKeyed() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        let name = key.stringValue
        let value = arguments.value(arguments.slot(name), name)
        return try ValueDecoder(value, arguments.type(name), []).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { throw NotKeyed() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NotKeyed() }
}
