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
        return try arguments.string(arguments.place(name), name)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        let name = key.stringValue
        return try arguments.bool(arguments.place(name), name)
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        let name = key.stringValue
        return try arguments.integer(arguments.place(name), name)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let name = key.stringValue
        return try arguments.converted(arguments.place(name), name)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw NotKeyed() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        let place = arguments.place(key.stringValue)
        return try ValueDecoder(arguments.value(place), arguments.type(place)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { throw NotKeyed() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NotKeyed() }
}

/// The conversions, apart from the container, so that they are compiled once and not for each type of keys.
extension ArgumentDecoder {
    func string(_ place: Int, _ name: String) throws -> String {
        guard let argument = argument(place) else { return "" }
        switch argument.kind {
        case .text, .bytes, .json, .xml: return string(argument)
        case .absent: return ""
        default: return try converted(place, name)
        }
    }

    func bool(_ place: Int, _ name: String) throws -> Bool {
        guard let argument = argument(place) else { return false }
        if argument.kind == .bool { return argument.number != 0 }
        return try converted(place, name)
    }

    func integer(_ place: Int, _ name: String) throws -> Int {
        guard let argument = argument(place) else { return 0 }
        if argument.kind == .int, let number = Int(exactly: argument.number) { return number }
        return try converted(place, name)
    }

    @inline(never)
    func converted<T: Decodable>(_ place: Int, _ name: String) throws -> T {
        do {
            return try ValueDecoder.value(T.self, value(place), type(place))
        } catch {
            throw mismatch(name, reason(error))
        }
    }
}
