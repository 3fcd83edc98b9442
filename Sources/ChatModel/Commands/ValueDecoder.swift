import LineProtocol

/// A decoder that decodes one argument, either a single value or a list, into a property.
struct ValueDecoder: Decoder {
    private let value: ArgumentValue
    private let type: ArgumentType

    init(_ value: ArgumentValue, _ type: ArgumentType) {
        self.value = value
        self.type = type
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Converts `value`, an argument of `type`, to a property's type.
    static func value<T: Decodable>(
        _ wanted: T.Type, _ value: ArgumentValue, _ type: ArgumentType
    ) throws -> T {
        if let array = array(wanted, value) { return array }
        if let wanted = wanted as? any CommandArgument.Type {
            let made: any CommandArgument =
                value == .absent ? wanted.empty : try wanted.init(argument: value)
            if let made = made as? T { return made }
        }
        return try T(from: ValueDecoder(value, type))
    }

    /// Converts common arrays directly, bypassing `Codable`; returns nil for all other types.
    private static func array<T>(_ wanted: T.Type, _ value: ArgumentValue) -> T? {
        if wanted == [UInt8].self, let bytes = bytes(value) { return bytes as? T }
        guard case .list(let values) = value else { return nil }
        if wanted == [Int].self {
            var numbers: [Int] = []
            numbers.reserveCapacity(values.count)
            for case .int(let number) in values { numbers.append(Int(truncatingIfNeeded: number)) }
            return numbers.count == values.count ? numbers as? T : nil
        }
        if wanted == [String].self {
            let texts = values.compactMap { bytes($0) }
            guard texts.count == values.count else { return nil }
            return texts.map { String(decoding: $0, as: UTF8.self) } as? T
        }
        return nil
    }

    /// Returns the bytes of a textual value; nil for other values.
    private static func bytes(_ value: ArgumentValue) -> [UInt8]? {
        switch value {
        case .text(let bytes), .bytes(let bytes), .json(let bytes), .xml(let bytes): bytes
        case .absent: []
        default: nil
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw ArgumentMismatch("values of type \(self.type.name) have no keys")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let element: ArgumentType = if case .list(let element, _) = type { element } else { type }
        switch value {
        case .list(let values): return ElementDecoder(values, element)
        case .absent: return ElementDecoder([], element)
        default: throw ArgumentMismatch("expected a list, found a value of type \(type.name)")
        }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .absent }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch value {
        case .bool(let flag): flag
        case .absent: false
        default: throw expected("a Bool")
        }
    }

    func decode(_ type: String.Type) throws -> String {
        switch value {
        case .choice(let index):
            if case .choice(let words) = self.type, words.indices.contains(index) {
                return words[index]
            }
        case .absent: return ""
        default:
            if let bytes = Self.bytes(value) { return String(decoding: bytes, as: UTF8.self) }
        }
        throw expected("a String")
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .decimal(let number):
            guard let number = Double(String(decoding: number.bytes, as: UTF8.self)) else {
                throw expected("a Double")
            }
            return number
        case .int(let number): return Double(number)
        case .absent: return 0
        default: throw expected("a Double")
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try Self.value(type, value, self.type)
    }

    private func integer<Number: FixedWidthInteger>() throws -> Number {
        switch value {
        case .int(let number):
            guard let result = Number(exactly: number) else {
                throw ArgumentMismatch("\(number) does not fit in \(Number.self)")
            }
            return result
        case .absent: return 0
        default: throw expected("an \(Number.self)")
        }
    }

    private func expected(_ what: String) -> ArgumentMismatch {
        ArgumentMismatch("a value of type \(type.name) is not \(what)")
    }
}
