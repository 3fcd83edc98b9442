import Diagnostics
import LineProtocol

extension LineExplanation {
    /// The explanation as text for a terminal.
    public var text: String {
        var lines = ["line     \(escapedForDisplay(line))"]
        lines.append("         \(origin), \(size)")
        if !tags.isEmpty {
            for (index, tag) in tags.enumerated() {
                let value = tag.value.isEmpty ? "(no value)" : ValueText.quoted(tag.value)
                let head = index == 0 ? "tags     " : "         "
                lines.append("\(head)\(escapedForDisplay(tag.key)) = \(value)")
            }
        }
        if let source { lines.append("source   \(escapedForDisplay(source))") }
        lines.append("command  \(command)")
        lines += table
        if let payload, signature?.payloadArgument == nil {
            lines.append("payload  \(counted(payload.count, "byte")): \(ValueText.quoted(payload))")
        }
        for issue in issues { lines.append("note     \(issue)") }
        return lines.map { $0 + "\n" }.joined()
    }

    private var origin: String {
        let side = direction == .fromServer ? "the server" : "a client"
        if directionWasGiven { return "from \(side)" }
        guard let signature else { return "sender unknown" }
        return signature.direction == .both
            ? "from either side" : "from \(side), judging by the command"
    }

    private var size: String {
        let ending = terminator.map { "terminated by \($0.name)" } ?? "not terminated"
        return "\(counted(lineBytes, "byte")) (limit \(lineBytesMax)), \(ending)"
    }

    private var command: String {
        let shown = verb.isEmpty ? "(none)" : escapedForDisplay(verb)
        guard let signature else { return "\(shown), unknown" }
        let summary = signature.summary.isEmpty ? "" : ": \(signature.summary)"
        return "\(shown) = \(signature.name)\(summary)"
    }

    /// A table with one row per argument: its name, type and value, and its raw bytes if they
    /// differ from the value.
    private var table: [String] {
        let rows = arguments.enumerated().map { index, argument in
            [
                argument.name ?? "(\(index + 1))",
                argument.type.name + (argument.position.isEmpty ? "" : ", \(argument.position)"),
                ValueText.text(argument.value, argument.type), note(argument),
            ]
        }
        var widths = [0, 0, 0]
        for row in rows {
            for column in 0..<3 { widths[column] = max(widths[column], displayWidth(row[column])) }
        }
        let valueWidthMax = 40
        widths[2] = min(widths[2], valueWidthMax)
        return rows.map { row in
            var line = "  "
            for column in 0..<3 {
                let padding = max(0, widths[column] - displayWidth(row[column]))
                line += row[column] + String(repeating: " ", count: padding + 2)
            }
            line += row[3]
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private func note(_ argument: Argument) -> String {
        var parts: [String] = []
        if let raw = argument.raw, !raw.isEmpty, isWrittenOtherwise(raw, argument) {
            parts.append("written as \(escapedForDisplay(raw))")
        }
        if !argument.note.isEmpty { parts.append(argument.note) }
        return parts.joined(separator: "; ")
    }

    private func isWrittenOtherwise(_ raw: [UInt8], _ argument: Argument) -> Bool {
        switch argument.value {
        case .text(let bytes), .bytes(let bytes), .json(let bytes), .xml(let bytes):
            bytes != raw
        case .bool, .list: true
        case .absent: false
        default:
            ValueText.text(argument.value, argument.type) != String(decoding: raw, as: UTF8.self)
        }
    }
}
