package import LineProtocol

/// A decoded line from a client. One instance is reused for all lines that a thread receives.
package final class RequestLine {
    package let commands: CommandTable
    private let decoder: MessageDecoder
    private let tolerance: Tolerance
    private let spelling: EscapeRule
    private let faults: FaultInjector
    package private(set) var message = Message()
    package private(set) var frame = Frame(line: 0..<0, whole: 0..<0)
    /// The buffer that the frame's ranges refer to.
    private var buffer: [UInt8] = []

    package init(_ dialect: Dialect, faults: FaultInjector = .none) {
        commands = dialect.commands
        decoder = MessageDecoder(dialect)
        tolerance = dialect.tolerance
        spelling = dialect.argumentRule(.fromClient)
        self.faults = faults
    }

    /// Decodes the line that `frame` describes in `buffer`.
    package func decode(_ buffer: [UInt8], _ frame: Frame) {
        self.buffer = buffer
        self.frame = frame
        decoder.decode(buffer.span, frame, from: .fromClient, into: &message)
    }

    /// Releases the buffer, so that its owner can modify it without copying.
    package func forget() { buffer = [] }

    /// Signature of the command; nil if the command is unknown.
    package var signature: CommandSignature? { message.command.map { commands.signatures[$0] } }

    /// The first issue that the dialect does not tolerate; nil if there is none.
    package var intolerable: MessageIssue? {
        let rule = signature?.tolerance ?? tolerance
        return message.issues.first { !$0.isTolerated(by: rule) }
    }

    package var extraArguments: Int {
        for case .tooMany(let count) in message.issues { return count }
        return 0
    }

    package var lacksArguments: Bool {
        message.issues.contains { if case .tooFew = $0 { true } else { false } }
    }

    /// The command as received; empty if the line has no command.
    package var verb: [UInt8] { array(message.split.verb) }

    /// The tags before the command, without their marker; nil if there are none.
    package var tags: [UInt8]? { message.split.tags.map(array) }

    /// The source prefix before the command; nil if there is none.
    package var source: [UInt8]? { message.split.source.map(array) }

    /// The complete line as received.
    package var bytes: [UInt8] { array(frame.line) }

    package var payload: [UInt8]? { frame.payload.map(array) }

    private func array(_ range: Range<Int>) -> [UInt8] { Array(buffer[range]) }

    private func bytes(_ argument: DecodedArgument) -> [UInt8] {
        let buffer = buffer
        let bytes = message.bytes(argument, in: buffer.span)
        guard faults.isArmed(.escapeDecodedTwice), let marker = spelling.marker,
            bytes.contains(marker)
        else { return bytes }
        do {
            let twice = try spelling.decode(bytes)
            return twice != bytes && faults.shouldInject(.escapeDecodedTwice) ? twice : bytes
        } catch {
            return bytes
        }
    }

    private func value(at index: Int, of signature: CommandSignature) -> ArgumentValue {
        let buffer = buffer
        return message.value(at: index, of: signature, in: buffer.span)
    }

    // MARK: By name

    private func argument(_ name: String) -> DecodedArgument? {
        guard let index = signature?.arguments.firstIndex(where: { $0.name == name }),
            message.arguments.indices.contains(index)
        else { return nil }
        let argument = message.arguments[index]
        return argument.isAbsent ? nil : argument
    }

    /// Returns the text of an argument; nil if the argument was omitted or does not exist.
    package func text(_ name: String) -> [UInt8]? {
        argument(name).map(bytes)
    }

    package func number(_ name: String) -> Int64? {
        argument(name).map(\.number)
    }

    /// Returns a number to repeat in the answer, truncated to 32 bits if the `numbersWrap` fault
    /// occurs; nil if the argument is missing.
    package func repeatedNumber(_ name: String) -> Int64? {
        argument(name).map { number($0.number) }
    }

    /// Returns the elements of a list argument or variadic argument as text.
    package func list(_ name: String) -> [[UInt8]] {
        guard let signature, let index = signature.arguments.firstIndex(where: { $0.name == name }),
            case .list(let values) = value(at: index, of: signature)
        else { return [] }
        return values.compactMap(\.bytesValue)
    }

    // MARK: By index

    package func text(at index: Int) -> [UInt8] {
        bytes(message.arguments[index])
    }

    package func number(at index: Int) -> Int64 { number(message.arguments[index].number) }

    private func number(_ value: Int64) -> Int64 {
        if Int64(Int32(truncatingIfNeeded: value)) != value, faults.shouldInject(.numbersWrap) {
            return Int64(Int32(truncatingIfNeeded: value))
        }
        return value
    }
}

extension ArgumentValue {
    /// The bytes of a text-like value; nil for other values.
    package var bytesValue: [UInt8]? {
        switch self {
        case .text(let bytes), .bytes(let bytes), .json(let bytes), .xml(let bytes): bytes
        case .int(let number): Array(String(number).utf8)
        default: nil
        }
    }
}
