package import DialectModel
import Diagnostics
import LineProtocol
package import Scenario

/// The names in a scenario that concurrent runs must not share: the operator names, login names and
/// room names. Login and room names are recognised by their position in the dialect's `login` and
/// `enter` behaviours.
package struct ScenarioNames {
    private let bound: BoundDialect
    private var dialect: Dialect { bound.dialect }
    /// The arguments whose values are login names.
    private var loginArguments: Set<ArgumentName> = []
    private var roomArguments: Set<ArgumentName> = []
    /// Arguments in which a number may be a room name.
    package private(set) var numberArguments: Set<ArgumentName> = []
    /// Prefixes that may precede a room name.
    private var roomPrefixes: Set<String> = []
    private var words: [(word: String, prefix: String, base: String)] = []

    package init(_ file: ScenarioFile, _ bound: BoundDialect) {
        self.bound = bound
        findArguments()
        for name in file.operatorNames { add(name) }
        file.fragments.forEach { collect($0.steps) }
        file.included.forEach { collect($0.fragment.steps) }
        collect(file.steps)
    }

    /// Returns a rewrite for each name. A generated name starts with the first letters and digits
    /// of the original name.
    ///
    /// - Parameter keepsLength: true to replace names of three bytes or more with names of the same
    ///   length. Short names then repeat after fewer runs.
    package func rewrites(keepsLength: Bool = false) -> [NameRewrite] {
        var stems: [String: (stem: String, digits: Int)] = [:]
        for (index, word) in words.enumerated() where word.prefix.isEmpty {
            stems[word.base] = stem(of: word.base, index, keepsLength, Array(stems.values))
        }
        // A room name with a prefix gets the same stem as the name without the prefix.
        return words.enumerated().map { index, word in
            let (stem, digits) = stems[word.base] ?? (word.base, NameRewrite.digitsMax)
            return NameRewrite(
                word: word.word, prefix: word.prefix, stem: stem, digits: digits, index: index)
        }
    }

    private func stem(
        of name: String, _ index: Int, _ keepsLength: Bool, _ taken: [(stem: String, digits: Int)]
    ) -> (stem: String, digits: Int) {
        let length = name.utf8.count
        let isNumber = NameRewrite.isNumber(name)
        guard keepsLength, let digits = NameRewrite.digits(forLength: length) else {
            if isNumber { return (name, Self.numberDigits) }
            var stem = name
            if length <= NameRewrite.bytesMax { stem = String(stem.prefix(5)) }
            if taken.contains(where: { $0.stem == stem }) {
                stem = String(stem.prefix(2)) + String(index, radix: 32)
            }
            return (stem, NameRewrite.digitsMax)
        }
        if isNumber { return (name, min(length - 1, Self.numberDigits)) }
        var stem = name
        while stem.utf8.count > length - digits { stem.removeLast() }
        // If the stem is taken, replace its last letter.
        var letter = UInt8(ascii: "a")
        while taken.contains(where: { $0.stem == stem && $0.digits == length - stem.utf8.count }),
            letter <= UInt8(ascii: "z")
        {
            stem = stem.dropLast() + String(UnicodeScalar(letter))
            letter += 1
        }
        return (stem, length - stem.utf8.count)
    }

    /// Maximum number of digits after the first digit of a generated number.
    private static let numberDigits = 7

    private mutating func add(_ text: String, isRoom: Bool = false) {
        let trimmed = text.drop { character in
            character.utf8.first.map { !NameRewrite.isNameByte($0) } ?? true
        }
        let word = trimmed.lowercased()
        guard !word.isEmpty, word.utf8.allSatisfy(NameRewrite.isNameByte),
            !words.contains(where: { $0.word == word })
        else { return }
        words.append((word, "", word))
        guard isRoom else { return }
        for prefix in roomPrefixes.sorted()
        where !prefix.isEmpty && !words.contains(where: { $0.word == prefix + word }) {
            words.append((prefix + word, prefix, word))
        }
    }

    // MARK: Finding arguments that hold names

    private mutating func findArguments() {
        for step in steps("login") { findArguments(step, of: "name", in: \.loginArguments) }
        for step in steps("enter") { findArguments(step, of: "room", in: \.roomArguments) }
        for name in ["enter", "say", "heard", "leave"] {
            for step in steps(name) { findArguments(step, of: "room", in: \.numberArguments) }
        }
    }

    private func steps(_ name: String) -> [Step] { bound[name]?.steps ?? [] }

    /// Word substituted for the variable while a line is split into arguments.
    private static let substitute = "zqnamezq"

    private mutating func findArguments(
        _ step: Step, of variable: String, in found: WritableKeyPath<Self, Set<ArgumentName>>
    ) {
        let call: TypedCall?
        var template: Template?
        var direction = Direction.fromClient
        switch step.kind {
        case .send(.typed(let typed)): call = typed
        case .send(.wire(let text, _)): (call, template) = (nil, text)
        case .expect(let expectation):
            direction = .fromServer
            switch expectation.pattern {
            case .typed(let typed): call = typed
            case .wire(let text, _): (call, template) = (nil, text)
            case .raw: call = nil
            }
        default: call = nil
        }
        for argument in call?.arguments ?? [] where argument.value.names(variable) {
            let declared = ArgumentName(
                command: call?.name.text ?? "", argument: argument.name.text)
            self[keyPath: found].insert(declared)
            notePrefix(argument.value.text(with: Self.substitute, for: variable))
        }
        guard let template else { return }
        for (argument, value) in arguments(template, direction, replacing: variable)
        where value.contains(Self.substitute) {
            self[keyPath: found].insert(argument)
            notePrefix(value)
        }
    }

    /// Records the word characters directly before the variable as a prefix: `room` if the value is
    /// `#roomX`, where `X` is the variable.
    private mutating func notePrefix(_ value: String) {
        guard let range = value.firstRange(of: Self.substitute) else { return }
        let before = value[..<range.lowerBound]
        let word = before.reversed().prefix { $0.utf8.first.map(NameRewrite.isNameByte) ?? false }
        let prefix = String(word.reversed()).lowercased()
        if !prefix.isEmpty, prefix.utf8.count < 6 { roomPrefixes.insert(prefix) }
    }

    /// Returns the arguments of a line and their values.
    private func arguments(
        _ template: Template, _ direction: Direction, replacing variable: String? = nil
    ) -> [(ArgumentName, String)] {
        let line = template.pieces.flatMap { piece -> [UInt8] in
            switch piece {
            case .literal(let literal): literal.bytes
            case .placeholder(let placeholder):
                if case .bytes(let bytes, _) = placeholder.kind {
                    bytes
                } else if let variable, placeholder.variable == variable {
                    Array(Self.substitute.utf8)
                } else {
                    // This byte cannot be part of a word, so a value that contains a placeholder is
                    // not mistaken for a name.
                    [UInt8(ascii: "?")]
                }
            }
        }
        var message = Message()
        MessageDecoder(dialect).decode(line, from: direction, into: &message)
        guard let command = message.command else { return [] }
        let signature = dialect.commands.signatures[command]
        return zip(signature.arguments, message.arguments).compactMap { argument, decoded in
            guard !decoded.isAbsent else { return nil }
            let value = message.withBytes(decoded, in: line.span) { $0.array(0..<$0.count) }
            return (
                ArgumentName(command: signature.name, argument: argument.name),
                String(decoding: value, as: UTF8.self)
            )
        }
    }

    // MARK: Collecting names

    private mutating func collect(_ steps: [Step]) {
        var found: [Step] = []
        steps.walk { found.append($0) }
        for step in found {
            switch step.kind {
            case .use(let use): collect(use)
            case .send(.typed(let call)):
                for argument in call.arguments {
                    collect(
                        ArgumentName(command: call.name.text, argument: argument.name.text),
                        argument.value.constant)
                }
            case .send(.wire(let template, _)):
                for (argument, value) in arguments(template, .fromClient) {
                    collect(argument, value)
                }
            default: break
            }
        }
    }

    private mutating func collect(_ argument: ArgumentName, _ value: String?) {
        guard let value, !value.contains("?") else { return }
        if roomArguments.contains(argument) {
            // A list or a path contains several names: `#a,#b`, `greet.*`.
            for word in value.utf8.split(whereSeparator: { !NameRewrite.isNameByte($0) }) {
                add(String(decoding: word, as: UTF8.self))
            }
        } else if loginArguments.contains(argument) {
            add(value)
        }
    }

    private mutating func collect(_ use: Use) {
        for argument in use.arguments {
            switch (use.name.text, argument.name.text) {
            case ("login", "name"): if let value = argument.value.constant { add(value) }
            case ("enter", "room"):
                if let value = argument.value.constant { add(value, isRoom: true) }
            default: break
            }
        }
    }
}

extension Value {
    /// Returns true if the variable occurs in the value.
    fileprivate func names(_ variable: String) -> Bool {
        placeholders.contains { $0.variable == variable }
    }

    /// Returns the value as text, with `word` in place of the variable and without other
    /// placeholders.
    fileprivate func text(with word: String, for variable: String) -> String {
        let pieces: [Template.Piece] =
            switch kind {
            case .string(let template): template.pieces
            case .placeholder(let placeholder): [.placeholder(placeholder)]
            default: []
            }
        return pieces.map { piece in
            switch piece {
            case .literal(let literal): String(decoding: literal.bytes, as: UTF8.self)
            case .placeholder(let placeholder): placeholder.variable == variable ? word : ""
            }
        }.joined()
    }

    /// The value as text; nil if it contains placeholders.
    fileprivate var constant: String? {
        switch kind {
        case .string(let template):
            template.constantBytes().map { String(decoding: $0, as: UTF8.self) }
        case .int(let number): String(number)
        case .name(let word): word
        case .decimal, .bool, .list, .unordered, .placeholder: nil
        }
    }
}
