import LineProtocol

/// Sample values in JSON.
enum JSONSample {
    /// Returns a value of a type as JSON text. Values of string types, and values that are not
    /// JSON, become strings.
    static func text(_ value: [UInt8], _ type: ArgumentType) -> [UInt8] {
        if case .list(let element, _) = type {
            return Array("[".utf8) + text(value, element) + Array("]".utf8)
        }
        if !isString(type), JSONText.value(value) != nil { return value }
        return JSONValues.text(.text(value), .text) ?? Array("\"\"".utf8)
    }

    /// Returns whether values of the type are strings in JSON.
    static func isString(_ type: ArgumentType) -> Bool {
        switch type {
        case .text, .bytes, .xml, .choice, .time(.rfc3339): true
        case .int, .bool, .decimal, .time, .json, .list: false
        }
    }

    /// Returns the values to try for an argument, as JSON text: values of other types, and edge
    /// cases.
    static func trial(
        _ type: ArgumentType
    ) -> (kind: String, wrong: [[UInt8]], edge: [[UInt8]]) {
        func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
        let (zero, flag, string) = ("0", "true", "\"x\"")
        let others = ["null", "[]", "{}"]
        switch type {
        case .int:
            return (
                "int", bytes(others + [flag, string, "\"1\"", "1.5"]),
                bytes([
                    "-1", "0", "-0", "2147483648", "9007199254740993", "9223372036854775807",
                    "9223372036854775808", "1.0", "1e3", "1e400", big,
                ])
            )
        case .decimal, .time(.unixSeconds), .time(.unixMilliseconds):
            return (
                type.name, bytes(others + [flag, string, "\"1\""]),
                bytes(["-1.5", "0", "-0.0", "1e3", "1E-3", "1e400", "0.1", big])
            )
        case .bool:
            return ("bool", bytes(others + [zero, string, "\"true\""]), bytes([flag, "false"]))
        case .json: return ("json", [], bytes(others + [zero, flag, string]))
        case .list:
            return (
                "list", bytes(["null", "{}", zero, flag, string]),
                bytes(["[]", "[[]]", "[null]", "[0,\"x\",true]"])
            )
        case .choice, .time(.rfc3339):
            return (type.name, bytes(others + [zero, flag, string]), bytes(["\"\""]))
        case .text, .bytes, .xml:
            return (
                "text", bytes(others + [zero, flag]),
                bytes(["\"\"", "\"\\u0000\"", "\"\\ud83d\\ude00\"", "\"\\/\""])
            )
        }
    }

    /// A number that does not fit into any fixed-size type.
    private static let big = String(repeating: "9", count: 400)
}

extension Subject {
    /// Returns a line with a command and its arguments, given as JSON text. Returns an empty object
    /// if the arguments cannot be combined.
    func object(
        _ verb: [UInt8], _ arguments: [(argument: ArgumentSignature, text: [UInt8])]
    ) -> [UInt8] {
        guard let json = dialect.syntax.fromClient.json else { return [] }
        var members: [JSONAssembly.Member] = []
        var id: [UInt8]?
        for (argument, text) in arguments {
            if let path = json.path(of: argument) {
                members.append(JSONAssembly.Member(path: path, text: text))
            } else {
                id = text
            }
        }
        var line: [UInt8] = []
        do {
            try JSONAssembly(json).append(verb, members, id: id, to: &line)
        } catch {
            line = Array("{}".utf8)
        }
        return line + terminator
    }

    /// Returns a line with this number of unknown keys added to its body.
    func adding(_ count: Int, to line: [UInt8]) -> [UInt8] {
        let keys = (1...count).map { #""xkey\#($0)":"\#($0)""# }.joined(separator: ",")
        return inserting(Array(keys.utf8), in: line)
    }

    /// Returns a line with members appended to its body.
    func inserting(_ members: [UInt8], in line: [UInt8]) -> [UInt8] {
        var split = SplitLine()
        LineSplitter(dialect, direction: .fromClient).split(line.span, 0..<line.count, into: &split)
        guard let body = split.member(at: JSONPath(steps: []), in: line.span)?.value,
            let fields = JSONText.value(Array(line[body])).flatMap({
                JSONText.members($0, in: Array(line[body]))
            })
        else { return line }
        let comma = fields.isEmpty ? [] : Array(",".utf8)
        return line[..<(body.upperBound - 1)] + comma + members + line[(body.upperBound - 1)...]
    }
}
