/// A key of a map in a settings file, along with the values that its reader accepts and the text
/// that editors show.
package protocol SettingKey: Sendable {
    var key: Key { get }
}

/// A key of a settings file whose value is read by the code that uses the key.
package struct Key: SettingKey {
    package let name: String
    /// One-sentence description without a full stop.
    package let summary: String
    package let shape: ValueShape
    /// The value that applies if the key is missing, for editors to show; nil if it cannot be
    /// written as a literal.
    package private(set) var fallback: ValueShape.Literal?
    /// Help text for the error that is reported if the key is missing; nil if the key is optional.
    package let missing: String?
    /// Another key that must be present if this one is; nil if there is none.
    package let needs: String?
    /// True if this is an earlier name of another key.
    package let isDeprecated: Bool

    package init(
        _ name: String, _ summary: String, _ shape: ValueShape,
        fallback: ValueShape.Literal? = nil, missing: String? = nil, needs: String? = nil,
        isDeprecated: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.shape = shape
        self.fallback = fallback
        self.missing = missing
        self.needs = needs
        self.isDeprecated = isDeprecated
    }

    package var key: Key { self }
}

/// A key that can read its own value. If it has no default, `Value` is optional.
package struct ValueKey<Value: Sendable>: SettingKey {
    package let key: Key
    /// The value to use if the key is missing or its value is invalid.
    let fallback: Value
    let read: @Sendable (Setting) -> Value?

    package init(
        _ name: String, _ summary: String, _ format: ValueFormat<Value>, default value: Value
    ) {
        key = Key(name, summary, format.shape, fallback: format.literal(value))
        fallback = value
        read = format.read
    }

    /// Creates a key whose value is nil if the key is missing. `inherited` is the default that
    /// editors show. If the map refines another map, that map's value applies instead.
    package init<Wrapped>(
        _ name: String, _ summary: String, _ format: ValueFormat<Wrapped>,
        inherited: Wrapped? = nil, missing: String? = nil, isDeprecated: Bool = false
    ) where Value == Wrapped? {
        key = Key(
            name, summary, format.shape, fallback: inherited.flatMap(format.literal),
            missing: missing, isDeprecated: isDeprecated)
        fallback = nil
        read = { format.read($0).map(Optional.some) }
    }
}

/// The keys of a map.
package struct KeyTable: Sendable {
    /// Name of the map. It is unique among the tables for one kind of file.
    package let title: String
    package let keys: [Key]
    package let names: [String]

    package init(_ title: String, _ keys: [any SettingKey]) {
        self.init(title, keys: keys.map(\.key))
    }

    init(_ title: String, keys: [Key]) {
        self.title = title
        self.keys = keys
        names = keys.map(\.name)
    }

    /// Returns a table without the given keys.
    func without(_ names: [String], title: String) -> KeyTable {
        KeyTable(title, keys: keys.filter { !names.contains($0.name) })
    }
}

extension Section {
    /// Creates a section for a map in which only the table's keys are allowed. Reports an error and
    /// returns nil if `value` is not a map.
    package init?(_ value: YamlValue, _ table: KeyTable, _ problems: Problems) {
        self.init(value, keys: table.names, problems)
    }

    /// Returns the setting of a key; nil if it is missing.
    package subscript(_ key: some SettingKey) -> Setting? { self[key.key.name] }

    /// Reads the value of a key. Returns the key's default if the key is missing or its value is
    /// invalid.
    package func value<Value>(_ key: ValueKey<Value>) -> Value {
        self[key.key.name].flatMap(key.read) ?? key.fallback
    }

    /// Returns the setting of a required key. Reports an error and returns nil if it is missing.
    package func required(_ key: some SettingKey) -> Setting? {
        required(key.key.name, key.key.missing ?? "")
    }

    /// Reads the value of a required key. Reports an error and returns nil if it is missing.
    package func required<Value>(_ key: ValueKey<Value?>) -> Value? {
        required(key.key.name, key.key.missing ?? "").flatMap(key.read) ?? nil
    }
}

extension Setting {
    /// Reads a map in which only the table's keys are allowed. Reports an error and returns nil if
    /// the value is not a map.
    package func section(_ table: KeyTable) -> Section? { section(table.names) }
}
