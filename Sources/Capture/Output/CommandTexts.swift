import DialectModel
import LineProtocol

/// Output prepared in advance for each command: names and labels, and flags for secret arguments.
struct CommandTexts {
    /// Prepared output for one argument of a command.
    struct Argument {
        /// Text before the argument's value, such as `, name: ` in the log or `,"name":` in JSON.
        var label: Range<Int>
        /// True if the dialect declares the argument secret, at least under a condition.
        var isSecret: Bool
        /// Index of the argument that names the IRC service to which this argument is sent; nil if
        /// the argument is not a message to services.
        var service: UInt8?
        var role: Anonymiser.Role
    }

    /// Bytes of all labels and names.
    private(set) var pool: [UInt8] = []
    /// Range in `pool` of the text before each command's arguments, by command index. It is `name(`
    /// in the log and `,"command":"name","arguments":{` in JSON.
    private(set) var heads: [Range<Int>] = []
    private(set) var firstArguments: [Int] = []
    private(set) var arguments: [Argument] = []
    /// Conditions under which arguments are secret, by index in `arguments`. Each condition tests
    /// the value of the argument whose position in the message is `argument`. Conditions are
    /// stored separately because elements of `arguments` are copied for each message and must not
    /// hold references.
    private var conditions: [Int: (argument: Int, condition: SecretCondition)] = [:]
    /// Flags for the commands with a secret argument, by command index.
    private(set) var hasSecrets: [Bool] = []
    private let isJSON: PerDirection<Bool>
    private let signatures: [CommandSignature]
    /// True if any command has a secret argument.
    let dialectHasSecrets: Bool
    private let commaCount: Int

    init(
        _ dialect: Dialect, _ style: TextBuffer.Style, showsSecrets: Bool, anonymises: Bool,
        look: LogStyle = LogStyle(isColoured: false)
    ) {
        commaCount = style == .log ? 2 : 1
        signatures = dialect.commands.signatures
        let syntax = dialect.syntax
        isJSON = PerDirection(
            fromClient: !showsSecrets && syntax.fromClient.json != nil,
            fromServer: !showsSecrets && syntax.fromServer.json != nil)
        dialectHasSecrets =
            !showsSecrets && signatures.contains { $0.arguments.contains(where: \.isSecret) }
        for signature in signatures {
            heads.append(
                add(
                    style == .log
                        ? "\(look.command)\(signature.name)\(look.plain)("
                        : ",\"command\":" + Self.jsonString(signature.name) + ",\"arguments\":{"))
            firstArguments.append(arguments.count)
            hasSecrets.append(!showsSecrets && signature.arguments.contains(where: \.isSecret))
            for argument in signature.arguments {
                if let condition = argument.secretCondition,
                    let other = signature.arguments.firstIndex(where: {
                        $0.name == condition.argument ?? argument.name
                    })
                {
                    conditions[arguments.count] = (other, condition)
                }
                let label =
                    style == .log
                    ? ", \(argument.name): " : "," + Self.jsonString(argument.name) + ":"
                arguments.append(
                    Argument(
                        label: add(label), isSecret: argument.isSecret && !showsSecrets,
                        service: service(of: arguments.count),
                        role: anonymises ? Anonymiser.role(argument) : .text))
            }
        }
        pool += [UInt8](repeating: 0, count: TextBuffer.paddingBytes)
    }

    private mutating func add(_ text: String) -> Range<Int> {
        let start = pool.count
        pool += Array(text.utf8)
        return start..<pool.count
    }

    /// Appends the text before the arguments of the command at `index`.
    @inline(__always)
    func append(head index: Int, to buffer: inout TextBuffer) {
        append(heads[index], to: &buffer)
    }

    /// Appends the argument's label, with a comma unless the argument is the first one.
    @inline(__always)
    func append(_ argument: Argument, isFirst: Bool, to buffer: inout TextBuffer) {
        let label = argument.label
        append(
            label.lowerBound &+ (isFirst ? commaCount : 0)..<label.upperBound, to: &buffer)
    }

    @inline(__always)
    private func append(_ text: Range<Int>, to buffer: inout TextBuffer) {
        unsafe pool.withUnsafeBufferPointer { pool in
            guard let base = pool.baseAddress else { return }
            unsafe buffer.append(padded: base + text.lowerBound, count: text.count)
        }
    }

    static func jsonString(_ text: String) -> String {
        var buffer = TextBuffer(capacity: 64)
        buffer.append(quoted: Array(text.utf8).span, .json)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Returns whether all arguments of a message are masked, because the secret may be in the place
    /// of any of them.
    @inline(__always)
    func hidesAll(_ command: Int, _ message: Message) -> Bool {
        !message.issues.isEmpty && hasSecrets[command]
            && signatures[command].mayMisplaceSecret(in: message)
    }

    /// Returns whether a key of a JSON line that the dialect does not declare suggests that its value
    /// is secret.
    @inline(__always)
    func hasSecretKey(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) -> Bool {
        isJSON[line.direction] && hasSecretKey(line.frame.line, message.command, in: bytes)
    }

    @inline(never)
    private func hasSecretKey(
        _ line: Range<Int>, _ command: Int?, in bytes: Span<UInt8>
    ) -> Bool {
        guard JSONSecrets.mayOccur(in: bytes.extracting(line)) else { return false }
        let values = JSONSecrets.undeclaredValues(
            in: bytes.array(line), of: command.map { signatures[$0] }, signatures)
        return !values.isEmpty
    }

    /// Returns whether an unrecognised line may contain a secret, because the command with the same
    /// name in the other direction has a secret argument.
    func mayHoldSecret(
        _ message: Message, _ commands: CommandTable, in bytes: Span<UInt8>
    ) -> Bool {
        guard dialectHasSecrets else { return false }
        let other = commands.command(bytes, message.split.verb, message.direction.opposite)
        return other.map { hasSecrets[$0] } ?? false
    }

    /// Returns whether a line with a known command contains a secret. It does not if an optional
    /// secret argument is absent.
    @inline(__always)
    func holdsSecret(_ message: Message, in bytes: Span<UInt8>) -> Bool {
        guard let command = message.command, hasSecrets[command] else { return false }
        if hidesAll(command, message) { return true }
        let first = firstArguments[command]
        return message.arguments.indices.contains { index in
            arguments[first + index].isSecret
                && secretStart(first + index, index, in: message, bytes) != nil
        }
    }

    /// Returns the offset of the secret in an argument that is declared secret; nil if it contains
    /// none in this message.
    ///
    /// - Parameters:
    ///   - index: Index in `arguments`.
    ///   - position: Index in the message.
    @inline(__always)
    func secretStart(
        _ index: Int, _ position: Int, in message: Message, _ bytes: Span<UInt8>
    ) -> Int? {
        // Nearly all messages are sent to rooms, whose names do not start with a letter.
        if let service = arguments[index].service {
            let target = message.arguments[Int(service)]
            let mayBeService = message.withBytes(target, in: bytes) {
                $0.count > 0 && (ASCII.isLetter($0[0]) || $0[0] == UInt8(ascii: "*"))
            }
            guard mayBeService else { return nil }
        }
        return conditionalStart(index, position, in: message, bytes)
    }

    @inline(never)
    private func conditionalStart(
        _ index: Int, _ position: Int, in message: Message, _ bytes: Span<UInt8>
    ) -> Int? {
        let value = message.arguments[position]
        guard !value.isAbsent else { return nil }
        guard let (other, condition) = conditions[index] else { return 0 }
        guard message.arguments.indices.contains(other) else { return nil }
        let tested = message.arguments[other]
        // Fields after the last declared argument may be credentials.
        if condition == .isSASLData, message.issues.contains(where: \.isTooMany) { return 0 }
        guard !tested.isAbsent else { return nil }
        if tested.kind == .list {
            let words = message.words(tested, in: bytes)
            return start(of: condition, in: value, given: words.span, message, bytes)
        }
        return message.withBytes(tested, in: bytes) {
            start(of: condition, in: value, given: $0, message, bytes)
        }
    }

    private func start(
        of condition: SecretCondition, in value: DecodedArgument, given tested: Span<UInt8>,
        _ message: Message, _ bytes: Span<UInt8>
    ) -> Int? {
        // The fields after the last declared argument may be the password.
        if condition.isForServices, message.issues.contains(where: \.isTooMany) {
            let text = message.bytes(value, in: bytes)
            let whole = text + Array(" x".utf8)
            return condition.start(in: whole.span, given: tested).map { min($0, text.count) }
        }
        if value.kind == .list {
            let words = message.words(value, in: bytes)
            // Lists are masked as a whole.
            return condition.start(in: words.span, given: tested) == nil ? nil : 0
        }
        return message.withBytes(value, in: bytes) { condition.start(in: $0, given: tested) }
    }

    /// Returns the index of the argument that names the service to which the argument at `index`
    /// is sent; nil if it is not a message to services.
    private func service(of index: Int) -> UInt8? {
        guard let (other, condition) = conditions[index], case .isForServices = condition else {
            return nil
        }
        return UInt8(exactly: other)
    }
}
