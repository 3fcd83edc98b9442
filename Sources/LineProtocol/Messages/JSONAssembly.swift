/// Builder that assembles a message's JSON object from the command and the JSON text of the
/// arguments.
package struct JSONAssembly: Sendable {
    /// A value and its path in the body.
    package struct Member: Sendable {
        package var path: JSONPath
        /// The value as JSON text.
        package var text: [UInt8]

        package init(path: JSONPath, text: [UInt8]) {
            self.path = path
            self.text = text
        }
    }

    /// A value and its path in the object.
    private struct Entry {
        var path: ArraySlice<[UInt8]>
        var text: [UInt8]
    }

    private let form: JSONSyntax.Form

    package init(_ syntax: JSONSyntax) { form = syntax.form }

    /// Appends the object of a message.
    ///
    /// - Parameters:
    ///   - verb: the command; empty if the object has none.
    ///   - members: the members of the body.
    ///   - id: the transaction ID of JSON-RPC as JSON text, or nil.
    package func append(
        _ verb: [UInt8], _ members: [Member], id: [UInt8]? = nil, to line: inout [UInt8]
    ) throws(EncodingError) {
        // An argument can be the whole body.
        let whole = members.first { $0.path.steps.isEmpty }
        let body = members.map { Entry(path: $0.path.steps[...], text: $0.text) }
        let entries: [Entry]
        switch form {
        case .key(let path):
            if let whole {
                line += whole.text
                return
            }
            let command = verb.isEmpty ? [] : [Entry(path: path.steps[...], text: try text(verb))]
            entries = command + body
        case .onlyKey:
            guard !verb.isEmpty else { throw EncodingError(.verbMissing) }
            entries = under(verb, body)
        case .rpc:
            guard !verb.isEmpty else { throw EncodingError(.verbMissing) }
            entries = try envelope(verb, body, id)
        }
        try append(entries, to: &line)
    }

    /// Returns entries that make the body the value of `key`. An empty body becomes `{}`.
    private func under(_ key: [UInt8], _ body: [Entry]) -> [Entry] {
        body.isEmpty
            ? [Entry(path: [key], text: Array("{}".utf8))]
            : body.map { Entry(path: [key] + $0.path, text: $0.text) }
    }

    /// Returns the members of a JSON-RPC message.
    private func envelope(
        _ verb: [UInt8], _ body: [Entry], _ id: [UInt8]?
    ) throws(EncodingError) -> [Entry] {
        var result = [Entry(path: [JSONRPC.version], text: Array("\"2.0\"".utf8))]
        if verb == JSONRPC.result || verb == JSONRPC.error {
            result += under(verb, body)
        } else {
            result.append(Entry(path: [JSONRPC.method], text: try text(verb)))
            if !body.isEmpty { result += under(JSONRPC.params, body) }
        }
        if let id { result.append(Entry(path: [JSONRPC.id], text: id)) }
        return result
    }

    /// Returns the command as JSON text. Commands that look like whole numbers are written as
    /// numbers.
    private func text(_ verb: [UInt8]) throws(EncodingError) -> [UInt8] {
        let isNumber =
            verb.count < 19 && verb.allSatisfy(ASCII.isDigit)
            && (verb.count == 1 || verb.first != ASCII.zero)
        return isNumber ? verb : try string(verb)
    }

    private func string(_ text: [UInt8]) throws(EncodingError) -> [UInt8] {
        var result: [UInt8] = []
        do {
            try JSONValues.appendString(text, to: &result)
        } catch {
            throw EncodingError(.verbInvalid)
        }
        return result
    }

    /// Appends the entries as one JSON value: an array if their keys are indices, otherwise an
    /// object.
    private func append(_ entries: [Entry], to line: inout [UInt8]) throws(EncodingError) {
        let isArray =
            !entries.isEmpty
            && entries.allSatisfy { $0.path.first.map { JSONPath.index($0) != nil } ?? false }
        line.append(isArray ? ASCII.openBracket : ASCII.openBrace)
        var written: [[UInt8]] = []
        for entry in entries {
            guard let key = entry.path.first, !written.contains(key) else { continue }
            if !written.isEmpty { line.append(ASCII.comma) }
            written.append(key)
            if isArray {
                // The elements before this one would be missing.
                guard JSONPath.index(key) == written.count - 1 else { throw EncodingError(.gap) }
            } else {
                line += try string(key)
                line.append(ASCII.colon)
            }
            if entry.path.count == 1 {
                line += entry.text
            } else {
                let inner = entries.filter { $0.path.first == key && $0.path.count > 1 }
                try append(
                    inner.map { Entry(path: $0.path.dropFirst(), text: $0.text) }, to: &line)
            }
        }
        line.append(isArray ? ASCII.closeBracket : ASCII.closeBrace)
    }
}
