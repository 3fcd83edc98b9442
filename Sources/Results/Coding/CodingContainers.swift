/// Encodes members that are omitted when empty.
extension KeyedEncodingContainer {
    mutating func encode(unlessEmpty value: some Encodable & Collection, forKey key: Key) throws {
        if !value.isEmpty { try encode(value, forKey: key) }
    }

    /// Encodes `true`; omits `false`.
    mutating func encode(ifTrue value: Bool, forKey key: Key) throws {
        if value { try encode(value, forKey: key) }
    }

    mutating func encode(bytes: [UInt8], forKey key: Key) throws {
        if !bytes.isEmpty { try encode(ByteText(bytes), forKey: key) }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a string or an array. A missing key means an empty value.
    func decode<Value: Decodable & RangeReplaceableCollection>(orEmpty key: Key) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? Value()
    }

    /// Decodes a flag. A missing key means `false`.
    func decodeFlag(_ key: Key) throws -> Bool {
        try decodeIfPresent(Bool.self, forKey: key) ?? false
    }

    /// Decodes bytes. A missing key means an empty value.
    func decodeBytes(_ key: Key) throws -> [UInt8] {
        try decodeIfPresent(ByteText.self, forKey: key)?.bytes ?? []
    }

    /// Decodes an enumeration from its raw value.
    ///
    /// - Throws: An error that names the kind of value that was expected, such as "verdict".
    func decode<Choice: RawRepresentable<String>>(word key: Key, _ what: String) throws -> Choice {
        try known(decode(String.self, forKey: key), what)
    }
}
