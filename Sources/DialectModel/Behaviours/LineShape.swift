package import LineProtocol
package import Scenario

/// The shape of a line in a behaviour: its command in the command table, and the variables in its
/// arguments.
package struct LineShape: Sendable {
    /// Part of an argument: literal bytes, a variable, or a wildcard.
    package enum Piece: Sendable, Hashable {
        case literal([UInt8])
        /// The value of a variable.
        case variable(String)
        /// Any bytes.
        case anything
    }

    package let direction: Direction
    /// Index of the command in the command table.
    package let command: Int
    /// True for a typed message or JSON wire text. The arguments that it omits may have any value.
    package let isTyped: Bool
    /// The pieces of each argument, by index in the signature; nil for omitted arguments.
    package private(set) var arguments: [[Piece]?]

    /// Creates the shape of a message that a client sends; nil if the message is raw or its command
    /// is not in the command table.
    ///
    /// - Parameter decoder: a decoder for the dialect, to avoid creating one for each line.
    package init?(
        _ message: StepMessage, _ dialect: Dialect, _ decoder: MessageDecoder? = nil
    ) {
        switch message {
        case .wire(let template, let payload):
            self.init(template, payload, .fromClient, dialect, decoder)
        case .typed(let call): self.init(call, .fromClient, dialect)
        case .raw: return nil
        }
    }

    /// Creates the shape of a line that a server is expected to send; nil if the pattern is raw or
    /// its command is not in the command table.
    ///
    /// - Parameter decoder: a decoder for the dialect, to avoid creating one for each line.
    package init?(_ pattern: Pattern, _ dialect: Dialect, _ decoder: MessageDecoder? = nil) {
        switch pattern {
        case .wire(let template, let payload):
            self.init(template, payload, .fromServer, dialect, decoder)
        case .typed(let call): self.init(call, .fromServer, dialect)
        case .raw: return nil
        }
    }

    private init?(_ call: TypedCall, _ direction: Direction, _ dialect: Dialect) {
        guard let command = dialect.commands.command(named: call.name.text, direction) else {
            return nil
        }
        self.direction = direction
        self.command = command
        isTyped = true
        let signature = dialect.commands.signatures[command]
        arguments = Array(repeating: nil, count: signature.arguments.count)
        for argument in call.arguments {
            let index = signature.arguments.firstIndex { $0.name == argument.name.text }
            guard let index else { continue }
            arguments[index] = Self.pieces(argument.value, signature.arguments[index].type)
        }
    }

    private static func pieces(_ value: Value, _ type: ArgumentType) -> [Piece] {
        switch value.kind {
        case .string(let template): pieces(template)
        case .placeholder(let placeholder): [piece(placeholder)].compactMap(\.self)
        case .int(let number): [.literal(Array(String(number).utf8))]
        case .decimal(let text), .name(let text): [.literal(Array(text.utf8))]
        case .bool(let flag):
            [.literal(ValueConversion.bytes(.bool(flag), type) ?? Array(String(flag).utf8))]
        case .list, .unordered: [.anything]
        }
    }

    private static func pieces(_ template: Template) -> [Piece] {
        template.pieces.compactMap { part in
            switch part {
            case .literal(let literal): .literal(literal.bytes)
            case .placeholder(let placeholder): piece(placeholder)
            }
        }
    }

    /// Returns the piece for a placeholder; nil if the placeholder does not match any bytes of the
    /// argument.
    private static func piece(_ placeholder: Placeholder) -> Piece? {
        if let name = placeholder.variable { return .variable(name) }
        return switch placeholder.kind {
        case .bytes(let bytes, let count):
            .literal(Array(repeatElement(bytes, count: count).joined()))
        case .end: nil
        default: .anything
        }
    }

    // MARK: Wire text

    /// Creates the shape of wire text; nil if its command is unknown. To find out which
    /// placeholders each argument contains, decodes the text with a marker in place of each
    /// placeholder.
    private init?(
        _ template: Template, _ payload: Template?, _ direction: Direction, _ dialect: Dialect,
        _ decoder: MessageDecoder?
    ) {
        if let json = dialect.syntax[direction].json {
            self.init(template, json, direction, dialect)
            return
        }
        var marked = MarkedLine(template)
        guard let command = marked.decode(decoder ?? MessageDecoder(dialect), direction)
        else { return nil }
        let signature = dialect.commands.signatures[command]
        let arguments = signature.arguments.indices.map { index -> [Piece]? in
            switch signature.arguments[index].position {
            case .payload: payload.map { Self.pieces($0) }
            case .payloadLength: nil
            default: marked.pieces(index)
            }
        }
        self.init(direction, command, isTyped: false, arguments)
    }

    /// Creates the shape of JSON wire text; nil if the text is not valid or its command is unknown.
    private init?(
        _ template: Template, _ json: JSONSyntax, _ direction: Direction, _ dialect: Dialect
    ) {
        guard let tree = try? JSONTemplate(template), let verb = tree.verb(json),
            let command = dialect.commands.command(verb.span, 0..<verb.count, direction)
        else { return nil }
        let arguments = dialect.commands.signatures[command].arguments.map { argument -> [Piece]? in
            guard let value = tree.value(of: argument, json) else { return nil }
            return value.pieces.map { Self.pieces(Template($0, range: value.range)) }
                ?? [.anything]
        }
        self.init(direction, command, isTyped: true, arguments)
    }

    private init(
        _ direction: Direction, _ command: Int, isTyped: Bool, _ arguments: [[Piece]?]
    ) {
        self.direction = direction
        self.command = command
        self.isTyped = isTyped
        self.arguments = arguments
    }

    /// A line with a marker in place of each placeholder.
    private struct MarkedLine {
        private static let marker: UInt8 = 0x01
        private var line: [UInt8] = []
        private var placeholders: [Piece] = []
        private var message = Message()

        init(_ template: Template) {
            for part in template.pieces {
                switch part {
                case .literal(let literal): line += literal.bytes
                case .placeholder(let placeholder): append(placeholder)
                }
            }
            while line.last == ASCII.space { line.removeLast() }
        }

        private mutating func append(_ placeholder: Placeholder) {
            switch placeholder.kind {
            // An unnamed placeholder for the rest of the line counts as absent.
            case .rest(nil), .end: return
            case .length: line.append(ASCII.zero)
            default:
                guard let piece = LineShape.piece(placeholder), placeholders.count < 200 else {
                    return
                }
                line += [Self.marker, 0x30 + UInt8(placeholders.count), Self.marker]
                placeholders.append(piece)
            }
        }

        /// Decodes the line and returns the index of its command; nil if the command is not in the
        /// command table.
        mutating func decode(_ decoder: MessageDecoder, _ direction: Direction) -> Int? {
            decoder.decode(line, from: direction, into: &message)
            return message.command
        }

        /// Returns the pieces of an argument; nil if the line omits the argument.
        func pieces(_ index: Int) -> [Piece]? {
            guard message.arguments.indices.contains(index), !message.arguments[index].isAbsent
            else { return nil }
            let bytes = message.bytes(message.arguments[index], in: line.span)
            // An omitted argument with an empty default also has no bytes.
            if bytes.isEmpty { return nil }
            var pieces: [Piece] = []
            var literal: [UInt8] = []
            var next = 0
            while next < bytes.count {
                if let number = number(bytes, at: next) {
                    if !literal.isEmpty { pieces.append(.literal(literal)) }
                    literal = []
                    pieces.append(placeholders[number])
                    next += 3
                } else {
                    literal.append(bytes[next])
                    next += 1
                }
            }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            return pieces
        }

        /// Returns the number of the placeholder whose marker is at an offset; nil if there is no
        /// marker.
        private func number(_ bytes: [UInt8], at offset: Int) -> Int? {
            guard bytes[offset] == Self.marker, offset + 2 < bytes.count,
                bytes[offset + 2] == Self.marker
            else { return nil }
            let number = Int(bytes[offset + 1]) - 0x30
            return placeholders.indices.contains(number) ? number : nil
        }
    }
}

extension LineShape {
    /// The names of all variables in the line.
    package var variables: Set<String> {
        var names: Set<String> = []
        for case .some(let pieces) in arguments {
            for case .variable(let name) in pieces { names.insert(name) }
        }
        return names
    }

    /// Returns the index of the argument that holds a variable; nil if none does.
    package func argument(holding variable: String) -> Int? {
        arguments.firstIndex { $0?.contains(.variable(variable)) ?? false }
    }

    /// Returns the literal directly before a variable (possibly empty); nil if no argument holds
    /// the variable.
    package func prefix(of variable: String) -> [UInt8]? {
        guard let index = argument(holding: variable), let pieces = arguments[index],
            let position = pieces.firstIndex(of: .variable(variable))
        else { return nil }
        if position > 0, case .literal(let prefix) = pieces[position - 1] { return prefix }
        return []
    }

    /// Returns the bytes of an argument, with the variable values filled in. Returns nil if a
    /// variable has no value, or if the argument is omitted or may have any value.
    package func bytes(of argument: Int, _ values: [String: [UInt8]]) -> [UInt8]? {
        guard arguments.indices.contains(argument), let pieces = arguments[argument] else {
            return nil
        }
        var result: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let bytes): result += bytes
            case .variable(let name):
                guard let value = values[name] else { return nil }
                result += value
            case .anything: return nil
            }
        }
        return result
    }

    /// Returns true if a message has this shape. For a typed shape, constant arguments must also
    /// match. For wire text, only the command is compared, because `error id=0 msg=ok` and
    /// `error id=512 …` are both answers to the same request.
    package func fits(_ message: Message, in bytes: Span<UInt8>) -> Bool {
        guard message.command == command else { return false }
        guard isTyped else { return true }
        for (index, pieces) in arguments.enumerated() {
            guard let pieces, pieces.count == 1, case .literal(let literal) = pieces[0] else {
                continue
            }
            guard index < message.arguments.count,
                message.bytes(message.arguments[index], in: bytes) == literal
            else { return false }
        }
        return true
    }

    /// Returns the value of the argument that holds a variable; nil if the message omits that
    /// argument.
    package func argument(
        _ variable: String, _ message: Message, in bytes: Span<UInt8>
    ) -> [UInt8]? {
        guard let index = argument(holding: variable), index < message.arguments.count else {
            return nil
        }
        return message.bytes(message.arguments[index], in: bytes)
    }

    /// Returns the value that a variable has in a message: the value of its argument, without the
    /// literals before and after the variable. Returns nil if no argument holds it.
    package func value(
        _ variable: String, _ message: Message, in bytes: Span<UInt8>
    ) -> [UInt8]? {
        guard let index = argument(holding: variable), let pieces = arguments[index],
            let position = pieces.firstIndex(of: .variable(variable)),
            let prefix = prefix(of: variable),
            var text = argument(variable, message, in: bytes)?[...]
        else { return nil }
        if text.starts(with: prefix) { text = text.dropFirst(prefix.count) }
        if position + 1 < pieces.count, case .literal(let suffix) = pieces[position + 1],
            let end = text.firstRange(of: suffix)
        {
            text = text[..<end.lowerBound]
        }
        return Array(text)
    }
}
