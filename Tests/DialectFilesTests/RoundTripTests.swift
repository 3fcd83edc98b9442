import LineProtocol
import Testing

@testable import DialectFiles

/// What a client or server of a built-in dialect encodes, the other side decodes to the same values,
/// or it is refused: never is something else received.
@Suite struct RoundTripTests {
    @Test(arguments: DialectLibrary.builtInNames)
    func everyTextArrivesAsItWasOrIsRefused(name: String) throws {
        try expectRoundTrips(try DialectLibrary.find(name).dialect)
    }

    @Test(arguments: LanguageDocumentTests.examples.map(\.line))
    func everyTextOfADocumentedDialectArrivesOrIsRefused(line: Int) throws {
        let example = try #require(LanguageDocumentTests.examples.first { $0.line == line })
        try expectRoundTrips(try dialect(example.text))
    }

    @Test(arguments: [
        "fields: {separator: '|'}\nescaping: {percent: []}",
        "fields: {quotes: true, runs: true}\nescaping: quotes",
        "fields: {separator: [blank, tab], runs: true}\nescaping: {forbidden: [NUL]}",
        "framing: {terminator: NUL}\nfields: {separator: 0x01}",
        "framing: {length-prefix: {bytes: 2}}\nfields: {separator: 0x01}",
    ])
    func everyWayOfEscapingKeepsTexts(settings: String) throws {
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
        for (place, signature) in dialect.commands.signatures.enumerated() {
            for direction in Direction.allCases where signature.direction.allows(direction) {
                let trip = RoundTrip(dialect, place, direction, decoder)
                trip.run(except: &seen)
                #expect(trip.faults.prefix(3).map(\.self) == [], "\(name) \(signature.name)")
                #expect(trip.arrived > 0, "\(name) \(signature.name): nothing could be sent")
            }
        }
    }
}

/// Sends every byte in every text of one command and looks at what arrives.
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

    /// - Parameter seen: kinds of places that need not be tried with every byte again.
    func run(except seen: inout Set<String>) {
        let sample = signature.arguments.map { self.sample($0) }
        let least = signature.arguments.enumerated().map { place, argument in
            argument.isRequired ? sample[place] : .absent
        }
        check(sample)
        check(least)
        for (place, argument) in signature.arguments.enumerated() where argument.hasFreeText {
            guard seen.insert(kind(place)).inserted else { continue }
            for text in Self.texts {
                var values = argument.isRequired ? least : sample
                values[place] = Self.value(text, argument)
                check(values)
            }
        }
    }

    /// What makes a difference to how a text in this place is written.
    private func kind(_ place: Int) -> String {
        let argument = signature.arguments[place]
        let ordered = signature.arguments.indices.filter { signature.arguments[$0].place.isInOrder }
        let position =
            place == ordered.last ? "last" : place == ordered.first ? "first" : "between"
        let shape = "\(argument.place) \(argument.presence) \(argument.type) \(position)"
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
        framer.append(bytes)
        guard let frame = framer.next(), frame.issue == nil else {
            // Nothing at all arrives of an empty line that counts for nothing.
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

    private func compare(
        _ sent: [ArgumentValue], _ received: [ArgumentValue], _ bytes: [UInt8]
    ) {
        for (place, argument) in signature.arguments.enumerated() {
            // The length is written by the codec.
            if argument.place == .payloadLength { continue }
            var expected = sent[place]
            if expected == .absent { expected = argument.defaultValue ?? .absent }
            if expected == .absent, argument.presence == .variadic { expected = .list([]) }
            // An empty tag and a missing one mean the same.
            if case .tag = argument.place, Self.isEmpty(expected), Self.isEmpty(received[place]) {
                continue
            }
            // A missing option is false.
            if case .option = argument.place, expected == .absent { expected = .bool(false) }
            // An empty source is none.
            if argument.place == .source, Self.isEmpty(expected) { expected = .absent }
            if received[place] != expected {
                fault("\(argument.name) is \(received[place])", sent, bytes)
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
        if case .text(let bytes) = value { bytes.isEmpty } else { value == .absent }
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
                    // Half of the bytes are ones that mean something somewhere.
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
        if argument.place == .payloadLength { return .absent }
        if argument.place == .verb {
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
    /// Whether its value is a text of any bytes.
    fileprivate var hasFreeText: Bool {
        if place == .verb { return false }
        switch type {
        case .text, .bytes, .json, .xml: return true
        case .list(let element, _): return element == .text
        default: return false
        }
    }
}
