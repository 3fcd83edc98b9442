public import ChatModel
public import LineProtocol

/// An XML element, as used in the arguments of add-on actions. Foundation parses it.
///
/// Entities and document type declarations are rejected; comments and processing instructions are
/// skipped.
public struct XMLArgument: Sendable, Hashable, Codable {
    /// A child of an element.
    public enum Node: Sendable, Hashable, Codable {
        /// An element.
        case element(XMLArgument)
        /// Text.
        case text(String)
    }

    /// Maximum length of the XML text, in bytes.
    public static let bytesMax = 1_048_576
    /// Maximum nesting depth of elements.
    public static let depthMax = 64
    /// Maximum number of elements in an argument.
    public static let elementsMax = 10_000

    /// The qualified name, which includes the prefix.
    public var name: String
    /// The attributes by qualified name.
    public var attributes: [String: String]
    /// The children in order.
    public var nodes: [Node]

    /// Creates an element from its parts.
    public init(_ name: String, _ attributes: [String: String] = [:], _ nodes: [Node] = []) {
        self.name = name
        self.attributes = attributes
        self.nodes = nodes
    }

    /// The element's own text, without the text of child elements.
    public var text: String {
        nodes.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }

    /// The child elements.
    public var elements: [XMLArgument] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The first child element with this name; nil if there is none.
    public subscript(name: String) -> XMLArgument? { elements.first { $0.name == name } }
}

extension XMLArgument: CommandArgument {
    /// Returns true for XML and text arguments.
    public static func fits(_ type: ArgumentType) -> Bool { type == .xml || type == .text }

    /// An element without a name, which is encoded as empty text.
    public static var empty: XMLArgument { XMLArgument("") }

    /// Parses the argument's XML.
    ///
    /// - Throws: `ArgumentMismatch` if it is not valid XML or exceeds a limit.
    public init(argument: ArgumentValue) throws(ArgumentMismatch) {
        guard let bytes = argument.textBytes else { throw ArgumentMismatch("expected XML") }
        self = bytes.isEmpty ? .empty : try XMLReader.element(bytes)
    }

    /// The element as XML.
    public var argument: ArgumentValue { .xml(Array(description.utf8)) }
}

extension XMLArgument: CustomStringConvertible {
    /// The element as XML. Attributes are sorted, and control characters that XML does not allow
    /// are left out.
    public var description: String {
        guard !name.isEmpty else { return "" }
        var text = "<\(name)"
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
            text += " \(key)=\"\(Self.escaped(value))\""
        }
        guard !nodes.isEmpty else { return text + "/>" }
        text += ">"
        for node in nodes {
            switch node {
            case .element(let element): text += element.description
            case .text(let content): text += Self.escaped(content)
            }
        }
        return text + "</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // If these were not escaped, a parser would treat them as spaces or line breaks.
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
