package import LineProtocol

/// Encodes server lines from message and argument names, so that adapters need not know wire names
/// or argument order.
package struct ReplyEncoder: Sendable {
    package let dialect: Dialect
    private let encoder: MessageEncoder

    package init(_ dialect: Dialect) {
        self.dialect = dialect
        encoder = MessageEncoder(dialect, direction: .fromServer)
    }

    /// Throws unless the dialect has all these server commands.
    package func require(server names: [String]) throws(ServerError) {
        try require(names, .fromServer)
    }

    /// Throws unless the dialect has all these client commands.
    package func require(client names: [String]) throws(ServerError) {
        try require(names, .fromClient)
    }

    private func require(_ names: [String], _ direction: Direction) throws(ServerError) {
        for name in names where dialect.commands.command(named: name, direction) == nil {
            throw ServerError.missingCommand(name, direction, dialect)
        }
    }

    /// Appends the line of a command.
    ///
    /// Values without a matching argument are ignored, and arguments without a value are left out.
    /// `others` supplies values that `values` lacks.
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
        try encoder.append(command, ordered, to: &target)
    }

    /// Returns the line of a command; empty if the dialect cannot encode it.
    package func line(_ name: String, _ values: Values = [:], and others: Values = [:]) -> [UInt8] {
        var line: [UInt8] = []
        do {
            try append(name, values, and: others, to: &line)
        } catch {
            return []
        }
        return line
    }

    /// Returns the line of a command whose only argument takes the rest of the line, spaces
    /// included, since such a text cannot be encoded as a field. Empty if the text contains a line
    /// break.
    package func line(_ name: String, rest: [UInt8]) -> [UInt8] {
        guard let command = dialect.commands.command(named: name, .fromServer),
            case .exact(let verb) = dialect.commands.signatures[command].wire,
            let separator = dialect.syntax.separators.first,
            !rest.contains(where: { $0 == ASCII.cr || $0 == ASCII.lf })
        else { return [] }
        return verb + [separator] + rest + dialect.framing.fromServer.terminator.bytes
    }

    package typealias Values = KeyValuePairs<String, ArgumentValue>
}

extension ArgumentValue {
    /// Converts text to the textual type that the argument has.
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
            the reference server needs the \(speaker) command "\(name)", which the dialect \
            "\(dialect.name)" does not have with a fixed wire name; add it
            """)
    }
}
