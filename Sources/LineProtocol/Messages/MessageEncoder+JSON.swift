/// Encodes messages as JSON objects.
extension MessageEncoder {
    func appendObject(
        _ draft: LineDraft, _ syntax: JSONSyntax, to line: inout [UInt8]
    ) throws(EncodingError) {
        var verb: [UInt8] = []
        if draft.signature.wire != .none { try appendVerb(draft, to: &verb) }
        var members: [JSONAssembly.Member] = []
        var id: [UInt8]?
        for (index, argument) in draft.signature.arguments.enumerated() {
            guard let text = try text(draft, index) else { continue }
            if let path = syntax.path(of: argument) {
                members.append(JSONAssembly.Member(path: path, text: text))
            } else if argument.position == .correlation {
                id = text
            }
        }
        try JSONAssembly(syntax).append(verb, members, id: id, to: &line)
    }

    /// Returns an argument as JSON text; nil if it is omitted.
    private func text(_ draft: LineDraft, _ index: Int) throws(EncodingError) -> [UInt8]? {
        guard index < draft.values.count, draft.values[index] != .absent else { return nil }
        var text: [UInt8] = []
        do {
            try JSONValues.append(
                draft.values[index], draft.signature.arguments[index].type, to: &text)
        } catch {
            switch error {
            case .wrongType(let type):
                throw draft.error(.wrongType(expected: type.name), index)
            case .escape(let escape): throw draft.error(.escape(escape), index)
            }
        }
        return text
    }
}
