import LineProtocol

/// A dialect guessed from lines that are JSON objects.
struct JSONGuess {
    /// Minimum percentage of lines that must be JSON objects.
    private static let sharePercentMin = 90
    /// Maximum number of commands to write. If there are more, the least frequent ones are left
    /// out.
    private static let commandsMax = 200
    /// Common keys for the name of a command.
    private static let usualKeys = [
        "type", "cmd", "command", "op", "event", "action", "method", "kind", "msg_type", "t",
    ]

    private typealias Members = [(key: [UInt8], value: JSONSample)]

    private let form: JSONSyntax.Form
    private let reason: String
    private let commands: [(verb: [UInt8], seen: Seen)]

    /// Creates a guess; nil if too few lines are JSON objects.
    init?(_ lines: [SampleLines.Line]) {
        let objects = lines.compactMap { line -> (members: Members, direction: Direction?)? in
            JSONSample(line.bytes)?.members.map { ($0, line.direction) }
        }
        guard !objects.isEmpty, objects.count * 100 >= lines.count * Self.sharePercentMin else {
            return nil
        }
        (form, reason) = Self.form(objects.map(\.members))
        var seen: [[UInt8]: Seen] = [:]
        for object in objects {
            guard let (verb, body) = Self.parts(object.members, form) else { continue }
            seen[verb, default: Seen()].add(body, object.direction)
        }
        commands = seen.sorted { one, other in
            if one.value.count != other.value.count { return one.value.count > other.value.count }
            return one.key.lexicographicallyPrecedes(other.key)
        }.prefix(Self.commandsMax).map { ($0.key, $0.value) }
    }

    /// Returns the most likely form, and the evidence for it.
    private static func form(_ objects: [Members]) -> (JSONSyntax.Form, String) {
        let count = objects.count
        func share(_ matching: Int) -> String { "\(matching) of \(count) objects" }
        let rpc = objects.count { $0.contains { $0.key == JSONRPC.version } }
        if rpc * 2 > count { return (.rpc, "\(share(rpc)) have the `jsonrpc` key.") }
        var values: [[UInt8]: Set<[UInt8]>] = [:]
        var present: [[UInt8]: Int] = [:]
        for object in objects {
            for member in object where member.value.isString {
                values[member.key, default: []].insert(member.value.text)
                present[member.key, default: 0] += 1
            }
        }
        let common = present.filter { $0.value * 100 >= count * sharePercentMin }.keys.sorted {
            let (one, other) = (values[$0, default: []].count, values[$1, default: []].count)
            return one == other ? $0.lexicographicallyPrecedes($1) : one < other
        }
        let usual = usualKeys.map { Array($0.utf8) }.first { common.contains($0) }
        if let key = usual ?? common.first {
            let name = String(decoding: key, as: UTF8.self)
            let words = values[key, default: []].count
            return (
                .key(JSONPath(steps: [key])),
                "\(share(present[key, default: 0])) have the `\(shortened(name))` key, with \(words) different values."
            )
        }
        let single = objects.count { $0.count == 1 }
        if single * 100 >= count * sharePercentMin {
            return (.onlyKey, "\(share(single)) have only one key.")
        }
        return (.key(["type"]), "Most objects have no key in common that could name the command.")
    }

    /// Returns the command and the members of the body; nil if there is no command.
    private static func parts(
        _ members: Members, _ form: JSONSyntax.Form
    ) -> (verb: [UInt8], body: Members)? {
        switch form {
        case .key(let path):
            guard let key = path.steps.first, let verb = members.last(where: { $0.key == key })
            else { return nil }
            return (verb.value.text, members.filter { $0.key != key })
        case .onlyKey:
            guard let only = members.first else { return nil }
            return (only.key, only.value.members ?? [])
        case .rpc:
            func value(_ key: [UInt8]) -> JSONSample? { members.last { $0.key == key }?.value }
            if let method = value(JSONRPC.method) {
                return (method.text, value(JSONRPC.params)?.members ?? [])
            }
            for key in [JSONRPC.result, JSONRPC.error] {
                if let body = value(key) { return (key, body.members ?? []) }
            }
            return nil
        }
    }

    var fields: [String] {
        let value =
            switch form {
            case .key(let path): YamlText.scalar(path.text)
            case .onlyKey: "{form: only-key}"
            case .rpc: "{form: json-rpc}"
            }
        return ["fields:", "  # \(reason)", "  json: \(value)"]
    }

    var commandLines: [String] {
        var names: Set<String> = []
        return commands.flatMap { verb, seen -> [String] in
            let text = String(decoding: verb, as: UTF8.self)
            var name = isIdentifier(text) ? text : "command\(names.count + 1)"
            while !names.insert(name).inserted { name += "2" }
            var lines = [
                "  # Seen \(seen.count == 1 ? "once" : "\(seen.count) times").", "  \(name):",
            ]
            if name != text { lines.append("    wire: \(YamlText.scalar(verb))") }
            lines.append("    from: \(seen.direction.word)")
            let arguments = seen.arguments
            if !arguments.isEmpty {
                lines.append("    arguments:")
                lines += arguments.map { "      - \($0)" }
            }
            return lines
        }
    }
}

/// A JSON value in the sample.
private struct JSONSample {
    private let bytes: [UInt8]
    private let value: Field

    init?(_ bytes: [UInt8]) {
        guard let value = JSONText.value(bytes) else { return nil }
        self.bytes = bytes
        self.value = value
    }

    private init(_ bytes: [UInt8], _ value: Field) {
        self.bytes = bytes
        self.value = value
    }

    var isString: Bool { value.form == .jsonString }
    var isNull: Bool { !isString && text == Array("null".utf8) }
    var text: [UInt8] { JSONText.text(value, in: bytes) }

    var members: [(key: [UInt8], value: JSONSample)]? {
        JSONText.members(value, in: bytes)?.map { ($0.key, JSONSample(bytes, $0.value)) }
    }

    /// The type of the value in dialect files.
    var type: String {
        if isString {
            return ValueConversion.value(text, .time(.rfc3339)) == nil ? "text" : "time as rfc3339"
        }
        if let elements = JSONText.elements(value, in: bytes) {
            let types = Set(elements.map { JSONSample(bytes, $0).type })
            guard types.count == 1, let type = types.first, !type.hasPrefix("list") else {
                return elements.isEmpty ? "list of text" : "json"
            }
            return "list of \(type)"
        }
        if text == Array("true".utf8) || text == Array("false".utf8) { return "bool" }
        if ValueConversion.value(text, .int) != nil { return "int" }
        return ValueConversion.value(text, .decimal) == nil ? "json" : "decimal"
    }
}

/// Statistics about a command.
private struct Seen {
    /// Maximum number of arguments to write.
    private static let argumentsMax = 64

    private(set) var count = 0
    private var directions: Set<Direction> = []
    private var keys: [[UInt8]] = []
    private var types: [[UInt8]: Set<String>] = [:]
    private var present: [[UInt8]: Int] = [:]

    mutating func add(_ members: [(key: [UInt8], value: JSONSample)], _ direction: Direction?) {
        count += 1
        if let direction { directions.insert(direction) }
        for member in members {
            if types[member.key] == nil { keys.append(member.key) }
            // A value that can be null is optional.
            types[member.key, default: []].formUnion(member.value.isNull ? [] : [member.value.type])
            if !member.value.isNull { present[member.key, default: 0] += 1 }
        }
    }

    var direction: CommandDirection {
        directions == [.fromClient] ? .client : directions == [.fromServer] ? .server : .both
    }

    var arguments: [String] {
        var names: Set<String> = []
        return keys.prefix(Self.argumentsMax).compactMap { key -> String? in
            let text = String(decoding: key, as: UTF8.self)
            // A path cannot contain a key that is empty or contains a dot or a space.
            guard !key.isEmpty, !key.contains(ASCII.dot), !key.contains(ASCII.space) else {
                return nil
            }
            var name = isIdentifier(text) ? text : "argument\(names.count + 1)"
            while !names.insert(name).inserted { name += "2" }
            let isOptional = present[key, default: 0] < count
            let position = name == text ? "" : " in key \(text)"
            let value = "\(type(key))\(isOptional ? "?" : "")\(position)"
            return "\(name): \(value.allSatisfy(\.isASCII) ? value : YamlText.quoted(value))"
        }
    }

    private func type(_ key: [UInt8]) -> String {
        let types = types[key, default: []]
        if types == ["int", "decimal"] { return "decimal" }
        if types == ["text", "time as rfc3339"] || types.isEmpty { return "text" }
        return types.count == 1 ? types.first ?? "json" : "json"
    }
}
