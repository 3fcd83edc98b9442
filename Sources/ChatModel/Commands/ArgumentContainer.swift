import LineProtocol

/// A keyed decoding container that looks up a command's arguments by property name.
struct ArgumentContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let arguments: ArgumentDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { !arguments.isAbsent(key.stringValue) }
    func decodeNil(forKey key: Key) -> Bool { arguments.isAbsent(key.stringValue) }

    // Fast paths for the most common property types.

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let name = key.stringValue
        return try arguments.string(arguments.index(name), name)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        let name = key.stringValue
        return try arguments.bool(arguments.index(name), name)
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        let name = key.stringValue
        return try arguments.integer(arguments.index(name), name)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let name = key.stringValue
        return try arguments.converted(arguments.index(name), name)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw NotKeyed() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        let index = arguments.index(key.stringValue)
        return try ValueDecoder(arguments.value(index), arguments.type(index)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { throw NotKeyed() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NotKeyed() }
}

/// These conversions are kept out of the generic container so that they are compiled once rather
/// than once per key type.
extension ArgumentDecoder {
    func string(_ index: Int, _ name: String) throws -> String {
        guard let argument = argument(index) else { return "" }
        switch argument.kind {
        case .text, .bytes, .json, .xml: return string(argument)
        case .absent: return ""
        default: return try converted(index, name)
        }
    }

    func bool(_ index: Int, _ name: String) throws -> Bool {
        guard let argument = argument(index) else { return false }
        if argument.kind == .bool { return argument.number != 0 }
        return try converted(index, name)
    }

    func integer(_ index: Int, _ name: String) throws -> Int {
        guard let argument = argument(index) else { return 0 }
        if argument.kind == .int, let number = Int(exactly: argument.number) { return number }
        return try converted(index, name)
    }

    @inline(never)
    func converted<T: Decodable>(_ index: Int, _ name: String) throws -> T {
        do {
            return try ValueDecoder.value(T.self, value(index), type(index))
        } catch {
            throw mismatch(name, reason(error))
        }
    }
}
