import ChatModel
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Parser delegate that builds an element from the callbacks of Foundation's parser.
final class XMLReader: NSObject, XMLParserDelegate {
    private var open: [XMLArgument] = []
    private var root: XMLArgument?
    private var elementCount = 0
    private var refusal: String?

    /// Parses `bytes` and returns the root element.
    static func element(_ bytes: [UInt8]) throws(ArgumentMismatch) -> XMLArgument {
        guard bytes.count <= XMLArgument.bytesMax else {
            throw ArgumentMismatch(
                "XML of \(bytes.count) bytes exceeds the limit of \(XMLArgument.bytesMax) bytes")
        }
        // Check this before parsing: every document type declaration starts like this.
        guard !String(decoding: bytes, as: UTF8.self).contains("<!DOCTYPE") else {
            throw ArgumentMismatch("XML with a document type declaration is not accepted")
        }
        let reader = XMLReader()
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        parser.delegate = reader
        // Content after the root element is reported only by `parserError`.
        let isWhole = parser.parse() && parser.parserError == nil
        if let refusal = reader.refusal { throw ArgumentMismatch(refusal) }
        guard isWhole, let root = reader.root else {
            throw ArgumentMismatch(
                "invalid XML at line \(parser.lineNumber), column \(parser.columnNumber)")
        }
        return root
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        elementCount += 1
        if open.count == XMLArgument.depthMax {
            refuse("XML nested deeper than \(XMLArgument.depthMax) elements", parser)
        } else if elementCount > XMLArgument.elementsMax {
            refuse("XML with more than \(XMLArgument.elementsMax) elements", parser)
        } else {
            open.append(XMLArgument(elementName, attributes))
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { append(.element(element)) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { append(.text(string)) }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        append(.text(String(decoding: block, as: UTF8.self)))
    }

    private func append(_ node: XMLArgument.Node) {
        guard var element = open.popLast() else { return }
        // The parser may deliver text in several pieces.
        if case .text(let more) = node, case .text(let text) = element.nodes.last {
            element.nodes[element.nodes.count - 1] = .text(text + more)
        } else {
            element.nodes.append(node)
        }
        open.append(element)
    }

    private func refuse(_ reason: String, _ parser: XMLParser) {
        if refusal == nil { refusal = reason }
        parser.abortParsing()
    }
}
