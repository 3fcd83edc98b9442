package import LineProtocol

/// An encoder for server lines. Commands and arguments are specified by name, so adapters do not
/// depend on wire names or argument order.
package struct ReplyEncoder: Sendable {
    package let dialect: Dialect
    private let encoder: MessageEncoder
    /// Replacement for values that the dialect cannot encode; nil to throw an error instead.
    private let substitute: [UInt8]?
    private let faults: FaultInjector

    package init(
        _ dialect: Dialect, substitute: [UInt8]? = nil, faults: FaultInjector = .none
    ) {
        self.dialect = dialect
        self.substitute = substitute
        self.faults = faults
        encoder = MessageEncoder(dialect, direction: .fromServer)
    }

    /// Throws an error if the dialect lacks any of these server commands.
    package func require(server names: [String]) throws(ServerError) {
        try require(names, .fromServer)
    }

    /// Throws an error if the dialect lacks any of these client commands.
    package func require(client names: [String]) throws(ServerError) {
        try require(names, .fromClient)
    }

    private func require(_ names: [String], _ direction: Direction) throws(ServerError) {
        for name in names where dialect.commands.command(named: name, direction) == nil {
            throw ServerError.missingCommand(name, direction, dialect)
        }
    }

    /// Appends the line for a command.
    ///
    /// Values without a corresponding argument are ignored, and arguments without a value are
    /// omitted. `others` supplies values missing from `values`.
    /// - Throws: `EncodingError` if the dialect cannot encode a value; `target` is then unchanged.
    package func append(
        _ name: String, _ values: Values, and others: Values = [:], to target: inout [UInt8]
    ) throws(EncodingError) {
        let command = dialect.commands.command(named: name, .fromServer) ?? -1
        guard dialect.commands.signatures.indices.contains(command) else {
            try encoder.append(command, [], to: &target)
            return
        }
        let arguments = dialect.commands.signatures[command].arguments
        var ordered: [ArgumentValue] = []
        ordered.reserveCapacity(arguments.count)
        for argument in arguments {
            let value =
                values.first { $0.key == argument.name }
                ?? others.first { $0.key == argument.name }
            ordered.append(value?.value.fitting(argument.type) ?? .absent)
        }
        try append(command, &ordered, to: &target)
    }

    /// Appends a line. Values that cannot be encoded are replaced by the substitute.
    private func append(
        _ command: Int, _ values: inout [ArgumentValue], to target: inout [UInt8]
    ) throws(EncodingError) {
        do {
            try encoder.append(command, values, to: &target)
        } catch {
            guard let substitute, case .escape = error.reason, let index = error.argumentIndex,
                case .text(let value) = values[index], value != substitute
            else { throw error }
            guard faults.shouldInject(.argumentsRepeatedRaw) else {
                values[index] = .text(substitute)
                return try append(command, &values, to: &target)
            }
            values[index] = .text(Self.placeholder)
            let start = target.count
            try append(command, &values, to: &target)
            if let range = target[start...].firstRange(of: Self.placeholder) {
                target.replaceSubrange(range, with: value)
            }
        }
    }

    /// Temporary value that needs no escaping and occurs in no reply.
    private static let placeholder = Array("qzxqzx".utf8)

    /// Returns the line for a command; empty if the dialect cannot encode it.
    package func line(_ name: String, _ values: Values = [:], and others: Values = [:]) -> [UInt8] {
        var line: [UInt8] = []
        do {
            try append(name, values, and: others, to: &line)
        } catch {
            return []
        }
        return line
    }

    /// Returns the line for a command whose only argument is the rest of the line. This is the only
    /// way to encode a value that contains spaces. The line is empty if the value contains a line
    /// break.
    package func line(_ name: String, rest: [UInt8]) -> [UInt8] {
        guard let command = dialect.commands.command(named: name, .fromServer),
            case .exact(let verb) = dialect.commands.signatures[command].wire,
            let separator = dialect.syntax.fromServer.separators.first,
            !rest.contains(where: { $0 == ASCII.cr || $0 == ASCII.lf })
        else { return [] }
        return verb + [separator] + rest + dialect.framing.fromServer.terminator.bytes
    }

    package typealias Values = KeyValuePairs<String, ArgumentValue>
}

extension ArgumentValue {
    /// Converts text to an argument's text-like type.
    fileprivate func fitting(_ type: ArgumentType) -> ArgumentValue {
        guard case .text(let bytes) = self else { return self }
        return switch type {
        case .bytes: .bytes(bytes)
        case .json: .json(bytes)
        case .xml: .xml(bytes)
        default: self
        }
    }
}

extension ServerError {
    static func missingCommand(
        _ name: String, _ direction: Direction, _ dialect: Dialect
    ) -> ServerError {
        let speaker = direction == .fromClient ? "client" : "server"
        return ServerError(
            .missingCommand(name),
            """
            the reference server needs a \(speaker) command "\(name)" with a fixed wire name, but \
            the "\(dialect.name)" dialect does not have one; add it
            """)
    }
}
