public import ChatModel
public import LineProtocol

/// An element of an XML text: an argument of add-on actions, read by Foundation's parser.
///
/// Entities and document types are refused; comments and processing instructions are passed over.
public struct XMLArgument: Sendable, Hashable, Codable {
    /// What stands in an element.
    public enum Node: Sendable, Hashable, Codable {
        /// Another element.
        case element(XMLArgument)
        /// Text.
        case text(String)
    }

    /// The longest text that is read, in bytes.
    public static let bytesMax = 1_048_576
    /// How deep elements may stand in one another.
    public static let depthMax = 64
    /// How many elements a text may have.
    public static let elementsMax = 10_000

    /// What it is called, with its prefix.
    public var name: String
    /// Its attributes.
    public var attributes: [String: String]
    /// What stands in it, in order.
    public var nodes: [Node]

    /// An element from its parts.
    public init(_ name: String, _ attributes: [String: String] = [:], _ nodes: [Node] = []) {
        self.name = name
        self.attributes = attributes
        self.nodes = nodes
    }

    /// The text in it, without that in other elements.
    public var text: String {
        nodes.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }

    /// The elements in it.
    public var elements: [XMLArgument] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The first element in it of that name.
    public subscript(name: String) -> XMLArgument? { elements.first { $0.name == name } }
}

extension XMLArgument: CommandArgument {
    /// XML, and texts that hold it.
    public static func fits(_ type: ArgumentType) -> Bool { type == .xml || type == .text }

    /// An element without a name, which is written as an empty text.
    public static var empty: XMLArgument { XMLArgument("") }

    /// The element that the argument's XML is.
    public init(argument: ArgumentValue) throws(ArgumentMismatch) {
        guard let bytes = argument.textBytes else { throw ArgumentMismatch("expected XML") }
        self = bytes.isEmpty ? .empty : try XMLReader.element(bytes)
    }

    /// The element's XML.
    public var argument: ArgumentValue { .xml(Array(description.utf8)) }
}

extension XMLArgument: CustomStringConvertible {
    /// The element's XML, attributes in the order of their names. Control characters, which XML does not
    /// have, are left out.
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
            // A reader would take them for blanks, or for a line's end.
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
