package import LineProtocol

/// Writes a server's lines by message and argument names: no adapter has to know wire names or the order
/// of arguments.
package struct ReplyEncoder: Sendable {
    package let dialect: Dialect
    private let encoder: MessageEncoder

    package init(_ dialect: Dialect) {
        self.dialect = dialect
        encoder = MessageEncoder(dialect, direction: .fromServer)
    }

    /// Throws unless the dialect has these commands of the server.
    package func require(server names: [String]) throws(ServerError) {
        try require(names, .fromServer)
    }

    /// Throws unless the dialect has these commands of the client.
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
    /// Values for which the command has no argument are left out, and so are arguments without a value.
    /// `others` serve where `values` have none.
    /// - Throws: where the dialect has no spelling for what is to be said; `target` is then as it was.
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

    /// The line of a command; empty where the dialect has no spelling for it.
    package func line(_ name: String, _ values: Values = [:], and others: Values = [:]) -> [UInt8] {
        var line: [UInt8] = []
        do {
            try append(name, values, and: others, to: &line)
        } catch {
            return []
        }
        return line
    }

    /// The line of a command whose one argument takes all that is left, blanks too: such a text has no
    /// spelling as a field. Empty if it would break the line.
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
    /// Text as the kind of text that is asked for.
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
