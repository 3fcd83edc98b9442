import Diagnostics
import LineProtocol
import Scenario

/// What a line of a behaviour says of real lines: its command, and which argument holds which variable.
struct LineShape {
    /// Where a variable stands.
    struct Place {
        var argument: Int
        /// What stands behind it in the argument; empty: nothing.
        var suffix: [UInt8] = []
        /// What stands in front of it in the argument.
        var prefix: [UInt8] = []
    }

    var command: Int
    var places: [String: Place] = [:]
    /// Arguments that are one text or number in every line.
    var literals: [(argument: Int, text: [UInt8])] = []

    /// Stands for the n-th hole while a line is divided; no dialect gives it a meaning.
    private static func standIn(_ index: Int) -> [UInt8] {
        Array("zqh\(index)qz".utf8)
    }

    /// The shape of what a client sends.
    init?(_ message: Scenario.Message, _ dialect: Dialect) {
        switch message {
        case .wire(let template, let payload):
            self.init(template, payload, .fromClient, dialect)
        case .typed(let call): self.init(call, .fromClient, dialect)
        case .raw: return nil
        }
    }

    /// The shape of what a server is expected to say.
    init?(_ pattern: Pattern, _ dialect: Dialect) {
        switch pattern {
        case .wire(let template, let payload):
            self.init(template, payload, .fromServer, dialect)
        case .typed(let call): self.init(call, .fromServer, dialect)
        case .raw: return nil
        }
    }

    private init?(_ call: TypedCall, _ direction: Direction, _ dialect: Dialect) {
        guard let command = dialect.commands.command(named: call.name.text, direction) else {
            return nil
        }
        self.command = command
        let signature = dialect.commands.signatures[command]
        for argument in call.arguments {
            let found = signature.arguments.firstIndex { $0.name == argument.name.text }
            guard let place = found else { continue }
            switch argument.value.kind {
            case .hole(let hole): add([.hole(hole)], place)
            case .string(let template): add(template.pieces, place)
            case .int(let number): literals.append((place, Array(String(number).utf8)))
            default: break
            }
        }
    }

    private mutating func add(_ pieces: [Template.Piece], _ argument: Int) {
        var before: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal): before = literal.bytes
            case .hole(let hole):
                guard let name = hole.variable else { continue }
                var suffix: [UInt8] = []
                if index + 1 < pieces.count, case .literal(let next) = pieces[index + 1] {
                    suffix = next.bytes
                }
                places[name] = Place(argument: argument, suffix: suffix, prefix: before)
                before = []
            }
        }
        if pieces.count == 1, case .literal(let literal) = pieces[0] {
            literals.append((argument, literal.bytes))
        }
    }

    /// Wire text is divided as the dialect divides lines.
    private init?(
        _ template: Template, _ payload: Template?, _ direction: Direction, _ dialect: Dialect
    ) {
        var line: [UInt8] = []
        var names: [String?] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): line += literal.bytes
            case .hole(let hole):
                line += Self.standIn(names.count)
                names.append(hole.variable)
            }
        }
        var message = LineProtocol.Message()
        MessageDecoder(dialect).decode(line, from: direction, into: &message)
        guard let known = message.command else { return nil }
        command = known
        for (index, argument) in message.arguments.enumerated() where !argument.isAbsent {
            let text = message.bytes(argument, in: line.span)
            for (number, name) in names.enumerated() {
                let standIn = Self.standIn(number)
                guard let name, let at = text.firstRange(of: standIn) else { continue }
                let rest = text[at.upperBound...]
                places[name] = Place(
                    argument: index,
                    suffix: Array(
                        rest.firstRange(of: Array("zqh".utf8)).map {
                            rest[..<$0.lowerBound]
                        } ?? rest),
                    prefix: Array(text[..<at.lowerBound]))
            }
        }
    }

    /// Whether the message is of this shape as far as its texts are fixed.
    func fits(_ message: LineProtocol.Message, in bytes: Span<UInt8>) -> Bool {
        guard message.command == command else { return false }
        return literals.allSatisfy { literal in
            literal.argument < message.arguments.count
                && message.bytes(message.arguments[literal.argument], in: bytes) == literal.text
        }
    }

    /// The whole argument in which the variable stands; nil where there is none.
    func argument(
        _ variable: String, _ message: LineProtocol.Message, in bytes: Span<UInt8>
    ) -> [UInt8]? {
        guard let place = places[variable], place.argument < message.arguments.count else {
            return nil
        }
        return message.bytes(message.arguments[place.argument], in: bytes)
    }

    /// What stands in the variable's place; nil where there is none.
    func value(
        _ variable: String, _ message: LineProtocol.Message, in bytes: Span<UInt8>
    ) -> [UInt8]? {
        guard let place = places[variable],
            var text = argument(variable, message, in: bytes)?[...]
        else { return nil }
        if text.starts(with: place.prefix) { text = text.dropFirst(place.prefix.count) }
        if !place.suffix.isEmpty, let end = text.firstRange(of: place.suffix) {
            text = text[..<end.lowerBound]
        }
        return Array(text)
    }
}
