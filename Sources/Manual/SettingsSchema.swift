package import DialectFiles
import FoundationEssentials

/// A JSON Schema (draft 2020-12) for one kind of YAML file, derived from the key tables used to
/// read it.
///
/// The schema accepts every valid file, but does not express every rule. For example, only the
/// reader rejects mutually exclusive settings.
package struct SettingsSchema {
    /// The completeness required of a map. A map merged into another may lack required keys.
    private enum Completeness { case whole, merged }

    private var definitions: [String: JSONNode] = [:]
    private var root = JSONNode.object([:])

    /// Creates the schema for files with these keys. `file` is the name of the schema file.
    package init(_ table: KeyTable, title: String, description: String, file: String) {
        var members: [String: JSONNode] = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": .text("https://linejudge.example/schemas/\(file)"),
            "title": .text(title), "description": .text(description),
        ]
        members.merge(map(table, .whole)) { own, _ in own }
        members["$defs"] = .object(definitions)
        root = .object(members)
    }

    /// Returns the contents of the schema file.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(root), as: UTF8.self) + "\n"
    }

    // MARK: Maps

    private mutating func map(
        _ table: KeyTable, _ completeness: Completeness
    ) -> [String: JSONNode] {
        var properties: [String: JSONNode] = [:]
        for key in table.keys { properties[key.name] = property(key, completeness) }
        var members: [String: JSONNode] = [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        let required = table.keys.filter { $0.missing != nil }.map { JSONNode.text($0.name) }
        if !required.isEmpty, completeness == .whole { members["required"] = .list(required) }
        let dependent = table.keys.compactMap { key in key.needs.map { (key.name, $0) } }
        if !dependent.isEmpty, completeness == .whole {
            members["dependentRequired"] = .object(
                Dictionary(uniqueKeysWithValues: dependent.map { ($0, [.text($1)]) }))
        }
        return members
    }

    private mutating func property(_ key: Key, _ completeness: Completeness) -> JSONNode {
        var members = schema(key.shape, completeness)
        members["description"] = .text(key.summary + ".")
        members["default"] = key.fallback.map(Self.literal)
        if key.isDeprecated { members["deprecated"] = true }
        return .object(members)
    }

    /// Returns a reference to a table's definition, after adding the definition if it is missing.
    private mutating func reference(
        to table: KeyTable, _ completeness: Completeness
    ) -> [String: JSONNode] {
        let isMerged = completeness == .merged && table.hasRequiredKey
        let name = isMerged ? "\(table.title)-in-profile" : table.title
        if definitions[name] == nil {
            definitions[name] = .object([:])
            definitions[name] = .object(map(table, isMerged ? .merged : .whole))
        }
        return ["$ref": .text("#/$defs/\(name)")]
    }

    private mutating func entries(
        _ entries: ValueShape.Entries, _ completeness: Completeness
    ) -> [String: JSONNode] {
        let completeness = entries.areMerged ? .merged : completeness
        let value = JSONNode.object(schema(entries.values, completeness))
        var members: [String: JSONNode] = [
            "type": "object", "additionalProperties": value,
            "maxProperties": .number(entries.max),
        ]
        if entries.min > 0 { members["minProperties"] = .number(entries.min) }
        switch entries.keys {
        case .names: members["propertyNames"] = ["pattern": .text(identifierPattern)]
        case .bytes: members["propertyNames"] = ["pattern": .text(ByteName.pattern)]
        case .texts: break
        }
        if !entries.standard.isEmpty {
            var properties: [String: JSONNode] = [:]
            for (name, summary) in entries.standard {
                var members = schema(entries.values, completeness)
                members["description"] = .text(summary + ".")
                properties[name] = .object(members)
            }
            members["properties"] = .object(properties)
        }
        return members
    }

    // MARK: Values

    private mutating func schema(
        _ shape: ValueShape, _ completeness: Completeness
    ) -> [String: JSONNode] {
        switch shape {
        case .text(let bytesMax):
            // A text has at most as many characters as UTF-8 bytes, so no valid text is rejected.
            return ["type": ["string", "number"], "maxLength": .number(bytesMax)]
        case .pattern(let pattern, let example):
            return [
                "type": "string", "pattern": .text(pattern), "examples": [.text(example)],
            ]
        case .scalar: return ["type": ["string", "number", "boolean", "null"]]
        case .name: return definition("name", Self.name)
        case .flag: return ["type": "boolean"]
        case .number(let range):
            // A number may be quoted. Its range is checked only if it is not quoted.
            return [
                "type": ["integer", "string"], "pattern": "^[+-]?[0-9]+$",
                "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
            ]
        case .quantity: return ["type": "number", "minimum": 0]
        case .byte: return definition("byte", Self.byte)
        case .words(let words): return ["enum": .list(words.map { .text($0) })]
        case .map(let table): return reference(to: table, completeness)
        case .entries(let entries): return self.entries(entries, completeness)
        case .list(let element, let max): return list(of: element, max)
        case .any(let shapes):
            return ["anyOf": .list(shapes.map { .object(schema($0, completeness)) })]
        }
    }

    /// Returns the schema of a list. Elements must be complete even in a merged map, because
    /// merging replaces the entire list.
    private mutating func list(of element: ValueShape, _ max: Int) -> [String: JSONNode] {
        let list: [String: JSONNode] = [
            "type": "array", "items": .object(schema(element, .whole)), "maxItems": .number(max),
        ]
        guard let single = element.scalars else { return list }
        return ["anyOf": [.object(schema(single, .whole)), .object(list)]]
    }

    private mutating func definition(_ name: String, _ node: JSONNode) -> [String: JSONNode] {
        definitions[name] = node
        return ["$ref": .text("#/$defs/\(name)")]
    }

    private static func literal(_ literal: ValueShape.Literal) -> JSONNode {
        switch literal {
        case .flag(let value): .flag(value)
        case .number(let value): .number(value)
        case .text(let value): .text(value)
        }
    }

    private static let name: JSONNode = [
        "description": "Letters, digits, `_` and `-`, starting with a letter.",
        "type": "string", "pattern": .text(identifierPattern),
        "maxLength": .number(Setting.nameBytesMax),
    ]

    /// A byte. YAML parses unquoted digits and hexadecimal numbers as numbers.
    private static let byte: JSONNode = [
        "description":
            "A byte: a character in quotes, a name such as `space`, or `0xHH`.",
        "anyOf": [
            ["enum": .list(ByteName.suggested.map { .text($0) })],
            ["type": "string", "pattern": .text(ByteName.pattern)],
            ["type": "integer", "minimum": 0, "maximum": 255],
        ],
    ]
}

extension ValueShape {
    /// The scalars accepted in place of a list; nil if there are none.
    fileprivate var scalars: ValueShape? {
        switch self {
        case .map, .entries, .list: return nil
        case .any(let shapes):
            let scalars = shapes.compactMap(\.scalars)
            return scalars.isEmpty ? nil : .any(scalars)
        default: return self
        }
    }

    fileprivate var hasRequiredKey: Bool {
        switch self {
        case .map(let table): table.hasRequiredKey
        case .entries(let entries): entries.values.hasRequiredKey
        case .any(let shapes): shapes.contains(where: \.hasRequiredKey)
        default: false
        }
    }
}

extension KeyTable {
    /// True if this map or a nested map has a required key.
    fileprivate var hasRequiredKey: Bool {
        keys.contains { $0.missing != nil || $0.needs != nil || $0.shape.hasRequiredKey }
    }
}
