/// A page template in a subset of the Mustache language: `{{name}}`, `{{{html}}}`, `{{#section}}`,
/// `{{^inverted}}` and `{{>partial}}`. A line that contains only a section tag or a partial
/// adds no empty line to the output.
struct HTMLTemplate: Sendable {
    /// A piece of a parsed template.
    indirect enum Part: Sendable {
        case text([UInt8])
        case value(String, isEscaped: Bool)
        case section(String, [Part], isInverted: Bool)
    }

    let parts: [Part]

    /// Parses the template `name` and the partials that it includes.
    init(_ name: String, in sources: [String: [UInt8]]) throws(ReportError) {
        guard let source = sources[name] else {
            throw ReportError(description: "the page template `\(name)` is missing")
        }
        var parser = HTMLTemplateParser(name, source, sources)
        parts = try parser.parts()
    }

    /// Renders the page. Names in the template refer to properties of `content` and, within
    /// sections, of the section's value.
    func rendered(_ content: Any) throws(ReportError) -> String {
        var page: [UInt8] = []
        try Self.render(parts, [TemplateScope(content)], to: &page)
        return String(decoding: page, as: UTF8.self)
    }

    private static func render(
        _ parts: [Part], _ scopes: [TemplateScope], to page: inout [UInt8]
    ) throws(ReportError) {
        for part in parts {
            switch part {
            case .text(let text): page += text
            case .value(let name, let isEscaped):
                guard let value = try value(name, scopes) else { continue }
                let text = value as? String ?? String(describing: value)
                if isEscaped { escape(text, to: &page) } else { page += text.utf8 }
            case .section(let name, let parts, let isInverted):
                let value = try value(name, scopes)
                if isInverted {
                    if isEmpty(value) { try render(parts, scopes, to: &page) }
                } else if let values = value as? [Any] {
                    for value in values {
                        try render(parts, scopes + [TemplateScope(value)], to: &page)
                    }
                } else if let value, !isEmpty(value) {
                    let inner = value is Bool ? scopes : scopes + [TemplateScope(value)]
                    try render(parts, inner, to: &page)
                }
            }
        }
    }

    private static func isEmpty(_ value: Any?) -> Bool {
        switch value {
        case .none: true
        case let isSet as Bool: !isSet
        case let values as [Any]: values.isEmpty
        default: false
        }
    }

    /// Returns the value of the property in the innermost scope that has it; nil if that value is
    /// nil.
    private static func value(
        _ name: String, _ scopes: [TemplateScope]
    ) throws(ReportError) -> Any? {
        if name == "." { return scopes.last?.value }
        for scope in scopes.reversed() {
            if let property = scope.properties[name] { return unwrapped(property) }
        }
        throw ReportError(description: "a page template refers to `\(name)`, which does not exist")
    }

    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }

    private static func escape(_ text: String, to page: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): page += "&lt;".utf8
            case UInt8(ascii: ">"): page += "&gt;".utf8
            case UInt8(ascii: "&"): page += "&amp;".utf8
            case UInt8(ascii: "\""): page += "&quot;".utf8
            case UInt8(ascii: "'"): page += "&#39;".utf8
            default: page.append(byte)
            }
        }
    }
}

/// A value whose properties a template can refer to by name.
private struct TemplateScope {
    let value: Any
    let properties: [String: Any]

    init(_ value: Any) {
        self.value = value
        let children = Mirror(reflecting: value).children
        properties = Dictionary(
            children.lazy.compactMap { child in child.label.map { ($0, child.value) } },
            uniquingKeysWith: { first, _ in first })
    }
}

/// A rendering error, which indicates a bug in Linejudge.
package struct ReportError: Error, CustomStringConvertible {
    package var description: String
}
