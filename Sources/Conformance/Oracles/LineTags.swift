import LineProtocol
import RegularExpressions
import Results
import Scenario

/// The tags of a line, with their values still escaped.
struct LineTags {
    private var tags: [(key: [UInt8], value: [UInt8])] = []

    var isEmpty: Bool { tags.isEmpty }

    init(_ line: [UInt8], _ dialect: Dialect, from sender: Direction = .fromServer) {
        guard let syntax = dialect.syntax[sender].tags else { return }
        var split = SplitLine()
        LineSplitter(dialect, direction: sender).split(line.span, 0..<line.count, into: &split)
        guard let range = split.tags else { return }
        for tag in line[range].split(separator: syntax.separator) {
            let key = tag.prefix { $0 != syntax.assignment }
            tags.append((Array(key), Array(tag.dropFirst(key.count + 1))))
        }
    }

    /// Returns all values of a tag. A tag without a value has an empty value.
    func values(of key: [UInt8]) -> [[UInt8]] { tags.filter { $0.key == key }.map(\.value) }
}

extension Dialect {
    /// Returns the tag key of an argument; nil if there is no such argument, or if it is not in a
    /// tag.
    func tagKey(of argument: String, in command: String, _ direction: Direction) -> [UInt8]? {
        guard let index = commands.command(named: command, direction) else { return nil }
        for signature in commands.signatures[index].arguments where signature.name == argument {
            if case .tag(let key) = signature.position { return key }
        }
        return nil
    }
}

/// Regular expressions for expectations in scenarios.
enum ExpectedPattern {
    /// Returns a regular expression that matches exactly these bytes.
    static func literal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let isPlain =
                ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte >= 0x80
                || byte == UInt8(ascii: "/")
            return (isPlain ? "" : "\\") + String(decoding: [byte], as: UTF8.self)
        }.joined()
    }

    /// Returns a pattern that matches any line with a tag that matches the regular expression
    /// `tag`; nil if that is not a valid expression.
    static func line(tag: String, _ syntax: FieldSyntax.TagSyntax) -> Pattern? {
        let marker = literal([syntax.marker])
        let separator = literal([syntax.separator])
        return matching("\(marker)([^ ]*\(separator))?\(tag)(\(separator)[^ ]*)? .*")
    }

    /// Returns a pattern that matches whole lines; nil if the regular expression is invalid.
    static func matching(_ expression: String) -> Pattern? {
        piece(expression).map { .raw(Template([$0], range: .none)) }
    }

    /// A pattern that matches any line.
    static let anyLine = Pattern.wire(
        Template([.placeholder(Placeholder(.rest(name: nil), range: .none))], range: .none),
        payload: nil)

    /// Returns a placeholder for a regular expression; nil if the expression is invalid.
    static func piece(_ expression: String) -> Template.Piece? {
        guard let expression = try? RegularExpression(expression) else { return nil }
        return .placeholder(
            Placeholder(.regex(name: nil, expression: expression), range: .none))
    }
}
