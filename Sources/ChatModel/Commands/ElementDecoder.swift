import LineProtocol

/// A decoding container that yields the elements of a list in order.
struct ElementDecoder: UnkeyedDecodingContainer {
    private let values: [ArgumentValue]
    private let type: ArgumentType
    private(set) var currentIndex = 0

    init(_ values: [ArgumentValue], _ type: ArgumentType) {
        self.values = values
        self.type = type
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    private var tooShort: ArgumentMismatch {
        ArgumentMismatch("the list has only \(values.count) element\(values.count == 1 ? "" : "s")")
    }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard !isAtEnd else { throw tooShort }
        let value = try ValueDecoder.value(type, values[currentIndex], self.type)
        currentIndex += 1
        return value
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw ArgumentMismatch("values of type \(self.type.name) have no keys")
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard !isAtEnd else { throw tooShort }
        let nested = try ValueDecoder(values[currentIndex], type).unkeyedContainer()
        currentIndex += 1
        return nested
    }

    func superDecoder() throws -> any Decoder {
        throw ArgumentMismatch("values of type \(type.name) have no keys")
    }
}
