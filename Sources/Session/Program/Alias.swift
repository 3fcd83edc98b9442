import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// A name of a scenario that must be another one in each of many plays side by side: an operator's, a room's.
package struct Alias: Sendable, Hashable {
    /// The longest name that is made of a short one: classic IRC allows nine bytes.
    package static let bytesMax = 9
    /// How many digits tell plays apart.
    static let digits = 4
    /// How many plays are told apart; after that names come again.
    package static let playsMax: UInt32 = 1 << 20

    /// The word as it stands in the scenario, in small letters.
    package var word: String
    /// What stays as it is at its start.
    package var prefix = ""
    /// What its other spellings begin with.
    package var stem: String
    /// Its place among the names of its scenario.
    package var index: Int

    /// Whether it is a number, and has to stay one.
    package var isNumber: Bool { word.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }

    package init(word: String, prefix: String = "", stem: String, index: Int) {
        self.word = word
        self.prefix = prefix
        self.stem = stem
        self.index = index
    }

    /// The name in one of the plays, in the letters of a spelling.
    package func value(_ play: UInt32, spelling: [UInt8]) -> [UInt8] {
        if isNumber {
            let number = 10_000_000 * (1 + index % 9) + Int(play)
            return Array(String(number).utf8)
        }
        let isUpper = spelling.last.map { $0 >= 0x41 && $0 <= 0x5A } ?? false
        var bytes: [UInt8] = []
        for (place, byte) in (prefix + stem).utf8.enumerated() {
            let model = place < spelling.count ? spelling[place] : byte
            bytes.append(ASCII.uppercased(model) == ASCII.uppercased(byte) ? model : byte)
        }
        for place in (0..<Self.digits).reversed() {
            let digit = UInt8(play >> UInt32(5 * place) & 31)
            let letter = isUpper ? UInt8(ascii: "A") : UInt8(ascii: "a")
            bytes.append(digit < 10 ? 0x30 + digit : letter + digit - 10)
        }
        return bytes
    }

    /// An expression for the name in any play.
    func expression(of spelling: String) -> String {
        if isNumber { return "[0-9]{8}" }
        let cased = String(decoding: value(0, spelling: Array(spelling.utf8)), as: UTF8.self)
        return cased.dropLast(Self.digits) + "[0-9a-vA-V]{\(Self.digits)}"
    }

    /// Whether a byte can stand in a word.
    package static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
            true
        default: false
        }
    }
}

/// A program in which names are variables.
package struct AliasedProgram: Sendable {
    package var program: Program
    /// The variables, and what they stand for.
    private var spellings: [(variable: String, alias: Alias, spelling: [UInt8])]

    /// The program in which each word that is an alias, in whatever letters, has become a variable.
    ///
    /// - Parameter numbersIn: the arguments in which a number may be a name.
    package init(
        _ program: Program, _ aliases: [Alias], numbersIn arguments: Set<CommandArgument>
    ) {
        var writer = AliasWriter(program, aliases, arguments)
        self.program = writer.rewritten()
        spellings = writer.spellings
    }

    /// The values of the names in one of the plays.
    package func values(_ play: UInt32) -> [String: [UInt8]] {
        Dictionary(
            spellings.map { ($0.variable, $0.alias.value(play, spelling: $0.spelling)) },
            uniquingKeysWith: { first, _ in first })
    }
}

/// An argument of a command.
package struct CommandArgument: Sendable, Hashable {
    package var command: String
    package var argument: String

    package init(command: String, argument: String) {
        self.command = command
        self.argument = argument
    }
}

/// Puts variables in the places of names.
private struct AliasWriter {
    private enum Part {
        case literal([UInt8])
        case name(Int)
    }

    private let program: Program
    private let aliases: [String: Alias]
    private let arguments: Set<CommandArgument>
    private var variables: [String]
    private var places: [String: Int] = [:]
    private(set) var spellings: [(variable: String, alias: Alias, spelling: [UInt8])] = []

    init(_ program: Program, _ aliases: [Alias], _ arguments: Set<CommandArgument>) {
        self.program = program
        self.aliases = Dictionary(
            aliases.map { ($0.word, $0) }, uniquingKeysWith: { one, _ in one })
        self.arguments = arguments
        variables = program.variables
    }

    mutating func rewritten() -> Program {
        let instructions = program.instructions.map { instruction in
            var copy = instruction
            copy.operation = operation(instruction.operation)
            return copy
        }
        let settings = program.settings.map {
            (variable: $0.variable, value: bytes($0.value), range: $0.range)
        }
        return Program(
            file: program.file, dialect: program.dialect, operators: program.operators,
            instructions: instructions, variables: variables, settings: settings,
            probe: program.probe, probeRefusal: program.probeRefusal, rejects: program.rejects,
            nameVariable: program.nameVariable, standing: program.standing,
            stepTimeout: program.stepTimeout, fileTimeout: program.fileTimeout,
            secrets: program.secrets)
    }

    private mutating func operation(_ operation: Operation) -> Operation {
        switch operation {
        case .send(let index, let message): .send(index, self.message(message))
        case .expect(let index, let mode, let pattern, let window):
            .expect(index, mode, self.pattern(pattern), window)
        case .anyOrder(let expectations):
            .anyOrder(
                expectations.map { expectation in
                    var copy = expectation
                    copy.pattern = pattern(expectation.pattern)
                    return copy
                })
        case .standing(let rule): .standing(self.rule(rule))
        case .bind(let bindings):
            .bind(bindings.map { (variable: $0.variable, value: bytes($0.value)) })
        case .beginEventually(let attempt, let end):
            .beginEventually(self.attempt(attempt), end: end)
        default: operation
        }
    }

    private mutating func rule(_ rule: StandingRule) -> StandingRule {
        var copy = rule
        copy.pattern = pattern(rule.pattern)
        copy.reply = rule.reply.map { message($0) }
        return copy
    }

    private mutating func attempt(_ attempt: Attempt) -> Attempt {
        guard case .nameFree(let name) = attempt.kind else { return attempt }
        var copy = attempt
        copy.kind = .nameFree(bytes(name))
        return copy
    }

    // MARK: Sends

    private mutating func message(_ message: MessageTemplate) -> MessageTemplate {
        var copy = message
        switch message.form {
        case .wire(let line, let payload, let kind):
            let hasVerb = program.dialect.syntax.verb != .none
            copy.form = .wire(
                bytes(line, skipsCommand: hasVerb), payload: payload.map { bytes($0) }, kind: kind)
        case .typed(let command, let name, let arguments):
            let signature = program.dialect.commands.signatures[command]
            copy.form = .typed(
                command: command, name: name,
                arguments: arguments.map { argument in
                    var copy = argument
                    let isNumber = self.arguments.contains(
                        CommandArgument(
                            command: signature.name,
                            argument: signature.arguments[argument.place].name))
                    copy.value = value(argument.value, takesNumbers: isNumber)
                    return copy
                })
        case .raw(let segments):
            copy.form = .raw(
                segments.map { segment in
                    if case .bytes(let part) = segment { .bytes(bytes(part)) } else { segment }
                })
        }
        return copy
    }

    private mutating func value(
        _ value: MessageTemplate.ValueTemplate, takesNumbers: Bool
    ) -> MessageTemplate.ValueTemplate {
        switch value {
        case .bytes(let part): return .bytes(bytes(part))
        case .list(let values):
            return .list(values.map { self.value($0, takesNumbers: takesNumbers) })
        case .constant(.text(let text)):
            let parts = bytes(MessageTemplate.Bytes(elements: [.literal(Array(text))]))
            if case .literal = parts.elements.first, parts.elements.count == 1 { return value }
            return parts.elements.isEmpty ? value : .bytes(parts)
        case .constant(.int(let number)):
            guard takesNumbers, let name = variable(Array(String(number).utf8)) else {
                return value
            }
            return .bytes(MessageTemplate.Bytes(elements: [.verbatim(name)]))
        case .constant: return value
        }
    }

    private mutating func bytes(
        _ bytes: MessageTemplate.Bytes, skipsCommand: Bool = false
    ) -> MessageTemplate.Bytes {
        var result: [MessageTemplate.Bytes.Element] = []
        for (place, element) in bytes.elements.enumerated() {
            guard case .literal(let literal) = element else {
                result.append(element)
                continue
            }
            let skipped = skipsCommand && place == 0 ? commandEnd(literal) : 0
            for part in parts(literal, from: skipped) {
                switch part {
                case .literal(let bytes): result.append(.literal(bytes))
                case .name(let variable): result.append(.verbatim(variable))
                }
            }
        }
        return MessageTemplate.Bytes(elements: result)
    }

    private func commandEnd(_ literal: [UInt8]) -> Int {
        literal.firstIndex { program.dialect.syntax.separators.contains($0) } ?? literal.count
    }

    // MARK: Expectations

    private mutating func pattern(_ pattern: LinePattern) -> LinePattern {
        var copy = pattern
        switch pattern.form {
        case .raw(let bytes, let withTerminator):
            copy.form = .raw(self.bytes(bytes), withTerminator: withTerminator)
        case .wire(var wire):
            wire.source = wire.source.map { bytes($0) }
            wire.payload = wire.payload.map { bytes($0) }
            for place in wire.fields.indices {
                wire.fields[place].value = bytes(wire.fields[place].value)
            }
            copy.form = .wire(wire)
        case .typed(var typed):
            for place in typed.arguments.indices {
                let isNumber = arguments.contains(
                    CommandArgument(
                        command: typed.name, argument: typed.arguments[place].name))
                let range = typed.arguments[place].range
                typed.arguments[place].value = value(
                    typed.arguments[place].value, takesNumbers: isNumber, range)
            }
            copy.form = .typed(typed)
        }
        return copy
    }

    private mutating func value(
        _ value: TypedPattern.ValuePattern, takesNumbers: Bool, _ range: SourceRange
    ) -> TypedPattern.ValuePattern {
        switch value {
        case .bytes(let pattern): return .bytes(bytes(pattern))
        case .list(let values):
            return .list(values.map { self.value($0, takesNumbers: takesNumbers, range) })
        case .equals(.int(let number)):
            guard takesNumbers, let name = variable(Array(String(number).utf8)) else {
                return value
            }
            return .bytes(BytesPattern(elements: [.variable(name)], range: range))
        case .equals: return value
        }
    }

    private mutating func bytes(_ pattern: BytesPattern) -> BytesPattern {
        var result: [BytesPattern.Element] = []
        for element in pattern.elements {
            switch element {
            case .literal(let literal):
                for part in parts(literal) {
                    switch part {
                    case .literal(let bytes): result.append(.literal(bytes))
                    case .name(let variable): result.append(.variable(variable))
                    }
                }
            case .hole(.regex(let expression), let capture):
                result.append(.hole(.regex(self.expression(expression)), capture: capture))
            case .variable, .hole, .rest: result.append(element)
            }
        }
        return BytesPattern(elements: result, range: pattern.range)
    }

    /// An expression that names a name, as it is or letter by letter in both cases, takes it in any play.
    private func expression(_ expression: String) -> String {
        var result = expression
        for alias in aliases.values.sorted(by: { $0.word < $1.word }) where !alias.isNumber {
            result = Self.replacingWords(result, alias)
            let spelt = alias.word.map { letter -> String in
                let (small, large) = (String(letter).lowercased(), String(letter).uppercased())
                return small == large ? small : "[\(large)\(small)]"
            }.joined()
            result = result.replacing(spelt, with: "(?i:\(alias.expression(of: alias.word)))")
        }
        return result
    }

    private static func replacingWords(_ expression: String, _ alias: Alias) -> String {
        let bytes = Array(expression.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            guard Alias.isOfWord(bytes[place]) else {
                result.append(bytes[place])
                place += 1
                continue
            }
            let end = bytes[place...].firstIndex { !Alias.isOfWord($0) } ?? bytes.count
            let word = String(decoding: bytes[place..<end], as: UTF8.self)
            let isName = word.lowercased() == alias.word
            result += isName ? Array(alias.expression(of: word).utf8) : Array(bytes[place..<end])
            place = end
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: Words

    private mutating func parts(_ literal: [UInt8], from start: Int = 0) -> [Part] {
        var result: [Part] = []
        var kept = Array(literal[..<start])
        var place = start
        while place < literal.count {
            guard Alias.isOfWord(literal[place]) else {
                kept.append(literal[place])
                place += 1
                continue
            }
            let end = literal[place...].firstIndex { !Alias.isOfWord($0) } ?? literal.count
            let word = Array(literal[place..<end])
            // A short number may be anything.
            let isShortNumber = word.count < 3 && word.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
            if !isShortNumber, let name = variable(word) {
                if !kept.isEmpty { result.append(.literal(kept)) }
                kept = []
                result.append(.name(name))
            } else {
                kept += word
            }
            place = end
        }
        if !kept.isEmpty || result.isEmpty { result.append(.literal(kept)) }
        return result
    }

    private mutating func variable(_ word: [UInt8]) -> Int? {
        let spelling = String(decoding: word, as: UTF8.self)
        guard let alias = aliases[spelling.lowercased()] else { return nil }
        if let place = places[spelling] { return place }
        let name = "(\(spelling))"
        places[spelling] = variables.count
        variables.append(name)
        spellings.append((name, alias, word))
        return variables.count - 1
    }
}
