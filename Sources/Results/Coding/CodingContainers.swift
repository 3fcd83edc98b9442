/// Members of results files that are left out where they say nothing.
extension KeyedEncodingContainer {
    /// Encodes a text or a list unless it is empty.
    mutating func encode(unlessEmpty value: some Encodable & Collection, forKey key: Key) throws {
        if !value.isEmpty { try encode(value, forKey: key) }
    }

    /// Encodes `true`; `false` is left out.
    mutating func encode(ifTrue value: Bool, forKey key: Key) throws {
        if value { try encode(value, forKey: key) }
    }

    /// Encodes bytes unless there are none.
    mutating func encode(bytes: [UInt8], forKey key: Key) throws {
        if !bytes.isEmpty { try encode(ByteText(bytes), forKey: key) }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a text or a list that is left out where it is empty.
    func decode<Value: Decodable & RangeReplaceableCollection>(orEmpty key: Key) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? Value()
    }

    /// Decodes a flag that is left out where it is false.
    func decodeFlag(_ key: Key) throws -> Bool {
        try decodeIfPresent(Bool.self, forKey: key) ?? false
    }

    /// Decodes bytes that are left out where there are none.
    func decodeBytes(_ key: Key) throws -> [UInt8] {
        try decodeIfPresent(ByteText.self, forKey: key)?.bytes ?? []
    }

    /// Decodes one of several words.
    ///
    /// - Throws: an error that says what the word should be, such as "a verdict".
    func decode<Choice: RawRepresentable<String>>(word key: Key, _ what: String) throws -> Choice {
        try known(decode(String.self, forKey: key), what)
    }
}
