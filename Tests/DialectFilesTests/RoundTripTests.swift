import LineProtocol
import Testing

@testable import DialectFiles

/// For every built-in dialect, what one side encodes the other decodes to the same values, unless
/// encoding rejects it.
@Suite struct RoundTripTests {
    @Test(arguments: DialectLibrary.builtInNames)
    func everyTextRoundTripsOrIsRejected(name: String) throws {
        try expectRoundTrips(try DialectLibrary.find(name).dialect)
    }

    @Test(arguments: LanguageDocumentTests.examples.map(\.line))
    func everyTextOfADocumentedDialectRoundTripsOrIsRejected(line: Int) throws {
        let example = try #require(LanguageDocumentTests.examples.first { $0.line == line })
        try expectRoundTrips(try dialect(example.text))
    }

    @Test(arguments: [
        "fields: {separator: '|'}\nescaping: {percent: []}",
        "fields: {quotes: true, runs: true}\nescaping: quotes",
        "fields: {separator: [blank, tab], runs: true}\nescaping: {forbidden: [NUL]}",
        "framing: {terminator: NUL}\nfields: {separator: 0x01}",
        "framing: {length-prefix: {bytes: 2}}\nfields: {separator: 0x01}",
        "fields: {separator: '|', server: {separator: ','}}\nescaping: {percent: [], server: none}",
        "fields: {client: {runs: true, quotes: true}}\nescaping: {client: quotes, server: {escape: '^', letters: {'^': '^', s: space, n: LF}}}",
    ])
    func everyEscapingRoundTrips(settings: String) throws {
        let text = "name: x\n\(settings)\n" + Self.commands
        try expectRoundTrips(try dialect(text))
    }

    private static let commands = """
        commands:
          say: {from: both, arguments: [to: text, text: text, flag: bool = false]}
          list: {from: both, arguments: [texts: text..., last: text]}
        """

    private func expectRoundTrips(_ dialect: Dialect) throws {
        let name = dialect.name
        var seen: Set<String> = []
        let decoder = MessageDecoder(dialect)
        for (index, signature) in dialect.commands.signatures.enumerated() {
            for direction in Direction.allCases where signature.direction.allows(direction) {
                let trip = RoundTrip(dialect, index, direction, decoder)
                trip.run(except: &seen)
                #expect(trip.faults.prefix(3).map(\.self) == [], "\(name) \(signature.name)")
                #expect(trip.arrived > 0, "\(name) \(signature.name): nothing could be sent")
            }
        }
    }
}

/// A test that sends every byte in every text argument of one command, and compares what arrives.
final class RoundTrip {
    private let dialect: Dialect
    private let command: Int
    private let signature: CommandSignature
    private let direction: Direction
    private let encoder: MessageEncoder
    private let decoder: MessageDecoder
    private var framer: LineFramer
    private var message = Message()
    private(set) var faults: [String] = []
    private(set) var arrived = 0

    /// Returns true if the encoder fills in the argument: the length of the payload.
    private func isLength(_ argument: ArgumentSignature) -> Bool {
        if case .headerFrame(let header) = dialect.framing.unit {
            return argument.position == .key(header)
        }
        return argument.position == .payloadLength
    }

    init(
        _ dialect: Dialect, _ command: Int, _ direction: Direction, _ decoder: MessageDecoder
    ) {
        self.dialect = dialect
        self.command = command
        self.direction = direction
        signature = dialect.commands.signatures[command]
        encoder = MessageEncoder(dialect, direction: direction)
        self.decoder = decoder
        framer = LineFramer(dialect, direction: direction)
    }

    /// - Parameter seen: kinds of positions that have been tried with every byte already.
    func run(except seen: inout Set<String>) {
        let sample = signature.arguments.map { self.sample($0) }
        let required = signature.arguments.enumerated().map { index, argument in
            argument.isRequired ? sample[index] : .absent
        }
        check(sample)
        check(required)
        for (index, argument) in signature.arguments.enumerated() where argument.hasFreeText {
            guard seen.insert(kind(index)).inserted else { continue }
            for text in Self.texts {
                var values = argument.isRequired ? required : sample
                values[index] = Self.value(text, argument)
                check(values)
            }
        }
    }

    /// Describes everything that affects how a text in this position is written.
    private func kind(_ index: Int) -> String {
        let argument = signature.arguments[index]
        let ordered = signature.arguments.indices.filter {
            signature.arguments[$0].position.isInOrder
        }
        let position =
            index == ordered.last ? "last" : index == ordered.first ? "first" : "between"
        let shape = "\(argument.position) \(argument.presence) \(argument.type) \(position)"
        let isExact = if case .exact = signature.wire { true } else { false }
        return "\(shape) \(direction) \(isExact) \(signature.tolerance == nil)"
    }

    private func check(_ values: [ArgumentValue]) {
        var bytes: [UInt8] = []
        do throws(EncodingError) {
            try encoder.append(command, values, to: &bytes)
        } catch {
            return
        }
        announce(values)
        framer.append(bytes)
        guard let frame = framer.next(), frame.issue == nil else {
            // An empty line may produce no frame at all.
            if !bytes.allSatisfy({ $0 == ASCII.lf || $0 == ASCII.cr }) {
                fault("no frame", values, bytes)
            }
            return
        }
        decoder.decode(framer.buffer.span, frame, from: direction, into: &message)
        if framer.next() != nil || framer.finish() != nil {
            fault("more than one frame", values, bytes)
        }
        guard message.command == command else {
            fault("another command", values, bytes)
            return
        }
        let received = message.values(of: signature, in: framer.buffer.span)
        compare(values, received, bytes)
    }

    private var blockRule: Framing.BlockRule? {
        dialect.framing.blocks.first { $0.verb == signature.wire.blockVerb }
    }

    private var isBlock: Bool { blockRule != nil }

    /// Passes to the framer a line of the other side that announces the message or its block.
    private func announce(_ values: [ArgumentValue]) {
        let triggers =
            signature.wire == .prompted ? dialect.framing.linePrompts : blockRule?.after
        guard let trigger = triggers?.first, let index = signature.payloadArgument,
            values[index] != .absent
        else { return }
        framer = LineFramer(dialect, direction: direction)
        var other = LineFramer(dialect, direction: direction.opposite)
        other.append(trigger.verb + dialect.framing.side(direction.opposite).terminator.bytes)
        guard let line = other.next() else { return }
        framer.recordFromOtherSide(line, in: other.buffer.span)
    }

    /// Returns a block with the terminator that the codec adds if it has none at its end.
    private func ended(_ value: ArgumentValue) -> ArgumentValue {
        let end = dialect.framing.side(direction).terminator.bytes
        guard case .bytes(let bytes) = value, !bytes.isEmpty, !(bytes.suffix(end.count) == end[...])
        else { return value }
        return .bytes(bytes + end)
    }

    private func compare(
        _ sent: [ArgumentValue], _ received: [ArgumentValue], _ bytes: [UInt8]
    ) {
        for (index, argument) in signature.arguments.enumerated() {
            // The codec writes the length.
            if isLength(argument) { continue }
            var expected = sent[index]
            if expected == .absent { expected = argument.defaultValue ?? .absent }
            if expected == .absent, argument.presence == .variadic { expected = .list([]) }
            if argument.position == .payload, isBlock { expected = ended(expected) }
            // An answer without further lines has no payload.
            if argument.position == .payload, !argument.isRequired, Self.isEmpty(expected),
                Self.isEmpty(received[index])
            {
                continue
            }
            // An empty tag equals a missing one.
            if case .tag = argument.position, Self.isEmpty(expected), Self.isEmpty(received[index])
            {
                continue
            }
            // A missing option is false.
            if case .option = argument.position, expected == .absent { expected = .bool(false) }
            // An empty source equals a missing one.
            if argument.position == .source, Self.isEmpty(expected) { expected = .absent }
            if received[index] != expected {
                fault("\(argument.name) is \(received[index])", sent, bytes)
                return
            }
        }
        arrived += 1
    }

    private func fault(_ what: String, _ values: [ArgumentValue], _ bytes: [UInt8]) {
        let wire = bytes.prefix(200).map {
            $0 < 0x20 || $0 > 0x7E ? "<\($0)>" : "\(UnicodeScalar($0))"
        }
        faults.append("\(what): \(wire.joined())")
    }

    private static func isEmpty(_ value: ArgumentValue) -> Bool {
        switch value {
        case .text(let bytes), .bytes(let bytes): bytes.isEmpty
        default: value == .absent
        }
    }

    // MARK: Values

    private static let texts: [[UInt8]] = {
        var texts: [[UInt8]] = [[]]
        for byte in UInt8.min...UInt8.max {
            texts += [[byte], [0x61, byte, 0x62]]
        }
        var generator = SeededRandom(seed: 1)
        for _ in 0..<60 {
            texts.append(
                (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                    // Half of the bytes have a meaning in some dialect.
                    Bool.random(using: &generator)
                        ? UInt8.random(in: 0...255, using: &generator)
                        : Array("|\\: ;=%@-\r\n\0\"'nrsp/".utf8).randomElement(using: &generator)
                            ?? 0
                })
        }
        return texts
    }()

    private static func value(_ text: [UInt8], _ argument: ArgumentSignature) -> ArgumentValue {
        if argument.presence == .variadic { return .list([value(text, argument.type)]) }
        return value(text, argument.type)
    }

    private static func value(_ text: [UInt8], _ type: ArgumentType) -> ArgumentValue {
        switch type {
        case .bytes: .bytes(text)
        case .json: .json(text)
        case .xml: .xml(text)
        case .list(let element, _): .list([value(text, element), value([0x7A], element)])
        default: .text(text)
        }
    }

    private func sample(_ argument: ArgumentSignature) -> ArgumentValue {
        if isLength(argument) { return .absent }
        if argument.position == .verb {
            if case .prefix(let bytes) = signature.wire { return .text(bytes + [0x78]) }
            return .text("999")
        }
        if argument.presence == .variadic { return .list([Self.sample(argument.type)]) }
        return Self.sample(argument.type)
    }

    private static func sample(_ type: ArgumentType) -> ArgumentValue {
        switch type {
        case .int: .int(7)
        case .bool: .bool(true)
        case .decimal: .decimal(Decimal64(unscaled: 25, scale: 1))
        case .time: .time(1_000_000_000)
        case .choice: .choice(0)
        case .list(let element, _): .list([sample(element)])
        default: value(Array("word".utf8), type)
        }
    }
}

extension ArgumentSignature {
    /// True if the value may be any text.
    fileprivate var hasFreeText: Bool {
        if position == .verb { return false }
        switch type {
        case .text, .bytes, .json, .xml: return true
        case .list(let element, _): return element == .text
        default: return false
        }
    }
}
