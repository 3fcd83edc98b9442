import Diagnostics
public import LineProtocol

/// Summary of a dialect for a terminal: the format of its lines, and one row per command.
public enum DialectSummary {
    /// Returns the summary. It ends with a line feed.
    public static func text(_ dialect: Dialect, profiles: [String] = []) -> String {
        var lines: [String] = []
        let name = dialect.profile.map { "\(dialect.name)+\($0)" } ?? dialect.name
        lines.append(dialect.summary.isEmpty ? name : "\(name): \(dialect.summary)")
        if let port = dialect.port { lines.append("  port        \(port)") }
        lines.append("  lines       \(framing(dialect.framing))")
        let client = fields(dialect.syntax.fromClient)
        let server = fields(dialect.syntax.fromServer)
        lines.append(
            "  fields      "
                + (client == server ? client : "from clients: \(client); from servers: \(server)"))
        let names = StandardBehaviour.names.filter { dialect.behaviours[$0] != nil }
        if !names.isEmpty { lines += list("  behaviours  ", names) }
        if !dialect.openPolicies.isEmpty {
            lines += list("  open        ", dialect.openPolicies)
        }
        if !profiles.isEmpty { lines += list("  profiles    ", profiles) }
        lines.append("")
        lines += commands(dialect)
        return lines.map { $0 + "\n" }.joined()
    }

    /// Maximum width of lists, in columns.
    private static let columnsMax = 80

    /// Formats words after a heading, wrapped at ``columnsMax``.
    private static func list(_ head: String, _ words: [String]) -> [String] {
        var lines: [String] = []
        var line = head
        for (index, word) in words.enumerated() {
            let part = index == words.count - 1 ? word : word + ","
            if line.count > head.count, line.count + 1 + part.count > columnsMax {
                lines.append(line)
                line = String(repeating: " ", count: head.count)
            }
            line += (line.count > head.count ? " " : "") + part
        }
        return lines + [line]
    }

    private static func framing(_ framing: Framing) -> String {
        switch framing.unit {
        case .lengthPrefix(let prefix): return "each with a \(prefix.width)-byte length prefix"
        case .headerFrame: return "headers, an empty line, a body up to NUL"
        case .resp: return "RESP values, or inline commands"
        case .line: break
        }
        func side(_ side: Framing.Side) -> String {
            let others = side.accepted.filter { $0 != side.terminator }.map(\.name)
            let taken = others.isEmpty ? "" : " (also accepted: \(others.joined(separator: ", ")))"
            return "\(side.terminator.name)\(taken), at most \(side.limits.lineBytesMax) bytes"
        }
        let client = side(framing.fromClient)
        let server = side(framing.fromServer)
        return client == server
            ? "end with \(client)" : "from clients end with \(client); from servers with \(server)"
    }

    private static func fields(_ syntax: FieldSyntax) -> String {
        if let json = syntax.json {
            switch json.form {
            case .key(let path):
                return
                    "JSON objects; `\(String(decoding: path.text, as: UTF8.self))` is the command"
            case .onlyKey: return "JSON objects; the only key is the command"
            case .rpc: return "JSON-RPC 2.0"
            }
        }
        if syntax.resp { return "RESP array elements; the first is the command" }
        if syntax.verb == .none { return "the whole line is text" }
        let separators = syntax.separators.map(ByteName.shown).joined(separator: " or ")
        var parts = [
            "separated by \(separators)"
                + (syntax.separatorRuns ? " (repeats count as one)" : "")
        ]
        if let tags = syntax.tags { parts.append("tags after \(ByteName.shown(tags.marker))") }
        if let marker = syntax.sourceMarker {
            parts.append("source after \(ByteName.shown(marker))")
        }
        if let marker = syntax.trailingMarker {
            parts.append("trailing field after \(ByteName.shown(marker))")
        }
        if let keyValue = syntax.keyValue {
            parts.append("key\(UnicodeScalar(keyValue.assignment))value")
        }
        return parts.joined(separator: ", ")
    }

    private static func commands(_ dialect: Dialect) -> [String] {
        let rows = dialect.commands.signatures.map { command in
            [
                arrow(command.direction), wire(command.wire),
                command.name + "(" + command.arguments.map(argument).joined(separator: ", ") + ")",
            ]
        }
        let width = rows.map { displayWidth($0[1]) }.max() ?? 0
        return rows.map { row in
            let padding = String(repeating: " ", count: width - displayWidth(row[1]))
            return "\(row[0]) \(row[1])\(padding)  \(row[2])"
        }
    }

    private static func arrow(_ direction: CommandDirection) -> String {
        switch direction {
        case .client: "->"
        case .server: "<-"
        case .both: "<>"
        }
    }

    private static func wire(_ wire: WireName) -> String {
        switch wire {
        case .exact(let bytes): escapedForDisplay(bytes)
        case .digits(let count): count.map { String(repeating: "#", count: $0) } ?? "#…"
        case .prefix(let bytes): escapedForDisplay(bytes) + "…"
        case .none, .prompted: "(none)"
        }
    }

    private static func argument(_ argument: ArgumentSignature) -> String {
        let suffix =
            switch argument.presence {
            case .required: argument.defaultValue == nil ? "" : "?"
            case .optional: "?"
            case .variadic: "..."
            }
        return "\(argument.name): \(argument.type.name)\(suffix)"
    }
}
