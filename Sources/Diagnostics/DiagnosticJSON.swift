extension Diagnostic {
    /// This diagnostic as a JSON object on a single line, without a line terminator.
    public var json: String {
        var members = [
            member("severity", severity.rawValue),
            member("code", code.word),
            member("message", message),
        ]
        if let location { members += location.members }
        if !notes.isEmpty {
            let items = notes.map { note in
                "{\(member("kind", note.kind.rawValue)),\(member("text", note.text))}"
            }
            members.append("\"notes\":[\(items.joined(separator: ","))]")
        }
        if !related.isEmpty {
            let items = related.map { "{\($0.members.joined(separator: ","))}" }
            members.append("\"related\":[\(items.joined(separator: ","))]")
        }
        return "{\(members.joined(separator: ","))}"
    }
}

extension DiagnosticLocation {
    /// The JSON members for the file and the range. Lines and columns count from 1, and the end is
    /// exclusive.
    fileprivate var members: [String] {
        let end = source.position(at: range.end)
        let start = position
        var members = [
            member("file", source.path),
            "\"line\":\(start.line)", "\"column\":\(start.column)",
            "\"endLine\":\(end.line)", "\"endColumn\":\(end.column)",
            "\"offset\":\(start.offset)", "\"length\":\(end.offset - start.offset)",
        ]
        if !label.isEmpty { members.append(member("label", label)) }
        return members
    }
}

private func member(_ name: String, _ text: String) -> String {
    "\"\(name)\":\(jsonString(text))"
}

/// Returns a quoted JSON string. In addition to what JSON requires, it escapes DEL, C1 controls and
/// the two Unicode line separators, so that the printed string cannot control a terminal.
public func jsonString(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": out += "\\\""
        case "\\": out += "\\\\"
        case "\n": out += "\\n"
        case "\r": out += "\\r"
        case "\t": out += "\\t"
        case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
            let hex = String(scalar.value, radix: 16)
            out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        default: out.unicodeScalars.append(scalar)
        }
    }
    return out + "\""
}
