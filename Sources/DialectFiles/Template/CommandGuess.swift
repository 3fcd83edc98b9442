import LineProtocol

/// A command found in a capture.
struct CommandGuess {
    /// Maximum number of commands to write. If there are more, the least frequent ones are left
    /// out.
    private static let commandsMax = 200

    private let verb: [UInt8]
    private let name: String
    private let direction: CommandDirection
    private let count: Int
    /// The minimum and maximum number of fields.
    private let fields: ClosedRange<Int>
    private let types: [String]
    /// True if the last argument probably extends to the end of the line.
    private let endsInText: Bool

    /// Minimum difference between the numbers of fields of a command whose last argument counts as
    /// text that contains spaces.
    private static let textFieldsMin = 2

    static func all(_ lines: [SampleLines.Line], _ separator: SeparatorGuess) -> [CommandGuess] {
        guard let byte = separator.byte else { return line(lines) }
        var seen: [[UInt8]: Seen] = [:]
        for line in lines {
            var parts = split(line.bytes, byte, runs: separator.runs, separator)
            guard !parts.isEmpty else { continue }
            let verb = parts.removeFirst()
            seen[verb, default: Seen()].add(parts, line.direction)
        }
        let readable = seen.filter { isVerb($0.key) && !$0.key.contains(byte) }
        let frequent = readable.sorted {
            ($1.value.count, name(of: $0.key)) < ($0.value.count, name(of: $1.key))
        }
        var names: Set<String> = []
        return frequent.prefix(commandsMax).map { verb, seen in
            var name = name(of: verb)
            while !names.insert(name).inserted { name += "2" }
            return CommandGuess(
                verb, name, seen,
                separatesWords: byte == ASCII.space && !separator.hasTrailing)
        }
    }

    /// Returns a command for lines without fields. Its only argument is the whole line.
    private static func line(_ lines: [SampleLines.Line]) -> [CommandGuess] {
        var seen = Seen()
        for line in lines { seen.add([line.bytes], line.direction) }
        return [CommandGuess([], "line", seen, separatesWords: false)]
    }

    /// Statistics about the sampled lines of one command.
    private struct Seen {
        var count = 0
        var directions: Set<Direction> = []
        var fields: ClosedRange<Int>?
        var columns: [[[UInt8]]] = []

        /// Maximum number of values kept per column to infer its type.
        static let valuesMax = 200

        mutating func add(_ parts: [[UInt8]], _ direction: Direction?) {
            count += 1
            if let direction { directions.insert(direction) }
            let fields = fields ?? parts.count...parts.count
            self.fields =
                min(fields.lowerBound, parts.count)...max(fields.upperBound, parts.count)
            for (column, value) in parts.enumerated() {
                if column == columns.count { columns.append([]) }
                if columns[column].count < Self.valuesMax { columns[column].append(value) }
            }
        }
    }

    /// - Parameter separatesWords: Whether the separator also occurs in text.
    private init(_ verb: [UInt8], _ name: String, _ seen: Seen, separatesWords: Bool) {
        self.verb = verb
        self.name = name
        count = seen.count
        direction =
            seen.directions == [.fromClient]
            ? .client : seen.directions == [.fromServer] ? .server : .both
        fields = seen.fields ?? 0...0
        types = seen.columns.map(Self.type)
        endsInText =
            separatesWords && fields.upperBound - fields.lowerBound >= Self.textFieldsMin
    }

    var lines: [String] {
        let range =
            fields.lowerBound == fields.upperBound
            ? "\(fields.upperBound)" : "\(fields.lowerBound) to \(fields.upperBound)"
        let times = count == 1 ? "once" : "\(count) times"
        let unit = fields == 1...1 ? "field" : "fields"
        var lines = ["  # Seen \(times), with \(range) \(unit).", "  \(name):"]
        if !verb.isEmpty, !verb.elementsEqual(name.utf8) {
            lines.append("    wire: \(YamlText.scalar(verb))")
        }
        lines.append("    from: \(direction.word)")
        let argumentsMax = endsInText ? max(1, fields.lowerBound) : 64
        var arguments = types.prefix(argumentsMax).enumerated().map { index, type in
            let isOptional = index >= fields.lowerBound && !verb.isEmpty
            return "argument\(index + 1): \(type)\(isOptional ? "?" : "")"
        }
        if endsInText {
            arguments[arguments.count - 1] = fields.lowerBound == 0 ? "text: text?" : "text: text"
        }
        if verb.isEmpty {
            lines.append("    arguments: [text: text]")
        } else if !arguments.isEmpty {
            lines.append("    arguments: [\(arguments.joined(separator: ", "))]")
        }
        if endsInText {
            lines.append(
                "    tolerance: {too-many: join-last}  # the text extends to the end of the line")
        }
        return lines
    }

    private static func type(_ values: [[UInt8]]) -> String {
        func all(_ type: ArgumentType) -> Bool {
            values.allSatisfy { ValueConversion.value($0, type) != nil }
        }
        let bits: [[UInt8]] = [[ASCII.zero], [ASCII.zero + 1]]
        if values.count > 3, Set(values) == Set(bits) { return "bool" }
        if all(.int) { return "int" }
        if all(.decimal) { return "decimal" }
        if all(.time(.rfc3339)) { return "time as rfc3339" }
        return "text"
    }

    /// Returns true if the bytes can be a command in a dialect file: they must be printable and not
    /// too long.
    private static func isVerb(_ verb: [UInt8]) -> Bool {
        let bytesMax = 32
        return !verb.isEmpty && verb.count <= bytesMax
            && verb.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && $0 != ASCII.quote && $0 != ASCII.backslash
            }
            && verb[0] != ASCII.colon
    }

    /// Returns the name for a command: its letters, digits and underscores, in lower case if there
    /// are neither lower-case letters nor digits. If the result is not a valid name, it gets the
    /// prefix `command`.
    static func name(of verb: [UInt8]) -> String {
        let kept = verb.filter { ASCII.isDigit($0) || ($0 | 0x20) &- 0x61 < 26 || $0 == 0x5F }
        let text = String(decoding: kept, as: UTF8.self)
        let isUpper = !kept.contains { $0 &- 0x61 < 26 }
        let name = isUpper && !kept.contains(where: ASCII.isDigit) ? text.lowercased() : text
        return isIdentifier(name) && YamlWord(name) == nil ? name : "command\(name)"
    }

    private static func split(
        _ line: [UInt8], _ byte: UInt8, runs: Bool, _ separator: SeparatorGuess
    ) -> [[UInt8]] {
        var line = line[...]
        if separator.hasSource, line.first == ASCII.colon {
            line = line.drop { $0 != byte }.drop { $0 == byte }
        }
        var parts: [[UInt8]] = []
        if separator.hasTrailing, let mark = trailingMark(line) {
            parts = line[..<mark].split(separator: byte).map(Array.init)
            parts.append(Array(line[(mark + 2)...]))
            return parts
        }
        var part: [UInt8] = []
        var isEscaped = false
        for next in line {
            if next == byte, !isEscaped {
                parts.append(part)
                part = []
            } else {
                part.append(next)
            }
            isEscaped = next == ASCII.backslash && !isEscaped
        }
        parts.append(part)
        return runs ? parts.filter { !$0.isEmpty } : parts
    }

    /// Returns the index of ` :`, which starts a trailing field; nil if there is none.
    private static func trailingMark(_ line: ArraySlice<UInt8>) -> Int? {
        line.indices.dropLast().first { line[$0] == ASCII.space && line[$0 + 1] == ASCII.colon }
    }
}
