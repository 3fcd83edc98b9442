import LineProtocol

/// Faults in command parsing: too few or too many arguments, invalid values and unknown commands.
struct MessageFaults {
    private let faults: FaultInjector
    private let dialect: Dialect
    /// A decoder that joins surplus arguments to the last argument.
    private let joining: RequestLine
    /// A decoder that does not fill in default values.
    private let defaultless: RequestLine
    /// True if the server closes the connection after any error, so that faults that close the
    /// connection make no difference.
    private let errorsClose: Bool
    private var split = SplitLine()
    private let splitter: LineSplitter

    init(_ dialect: Dialect, _ faults: FaultInjector) {
        self.dialect = dialect
        self.faults = faults
        splitter = LineSplitter(dialect, direction: .fromClient)
        errorsClose = dialect.policies["unknown-command"] == "close"
        var changed = dialect
        changed.tolerance.tooMany = .joinLast
        changed.commands = CommandTable(
            dialect.commands.signatures.map { signature in
                var signature = signature
                signature.tolerance?.tooMany = .joinLast
                return signature
            })
        joining = RequestLine(changed, faults: faults)
        changed.commands = CommandTable(
            dialect.commands.signatures.map { signature in
                var signature = signature
                for index in signature.arguments.indices
                where signature.arguments[index].defaultValue != nil {
                    signature.arguments[index].defaultValue = nil
                    signature.arguments[index].presence = .optional
                }
                return signature
            })
        changed.tolerance = dialect.tolerance
        defaultless = RequestLine(changed, faults: faults)
    }

    /// Returns the line. If the `verbCaseIgnored` fault occurs, the line's command is changed.
    mutating func change(_ unit: EditableLine) -> EditableLine {
        guard faults.isArmed(.verbCaseIgnored) else { return unit }
        splitter.split(unit.line.span, 0..<unit.line.count, into: &split)
        let range = split.verb
        let verb = Array(unit.line[range])
        let known = wireNames(.fromClient).first {
            $0.count == verb.count && Self.upper($0) == Self.upper(verb)
        }
        guard let known, known != verb, !verb.isEmpty, faults.shouldInject(.verbCaseIgnored) else {
            return unit
        }
        var unit = unit
        // In a dialect that ignores letter case, the command must become unknown instead.
        let isExact = !dialect.syntax.fromClient.ignoresVerbCase
        unit.line.replaceSubrange(range, with: isExact ? known : verb + [0x3F])
        return unit
    }

    /// Returns the line to execute instead of `line`, which was decoded from `framed`; nil if the
    /// connection must be closed.
    func receive(_ line: RequestLine, _ framed: (buffer: [UInt8], frame: Frame)) -> RequestLine? {
        if line.frame.issue != nil { return line }
        if closes(line) { return nil }
        // The arguments of a JSON object have names, so there is no last one to join them to.
        if line.extraArguments > 0, dialect.syntax.fromClient.json == nil,
            faults.shouldInject(.extraArgumentsJoined)
        {
            joining.decode(framed.buffer, framed.frame)
            return joining
        }
        if lacksDefault(line), faults.shouldInject(.defaultsIgnored) {
            defaultless.decode(framed.buffer, framed.frame)
            return defaultless
        }
        return line
    }

    private func closes(_ line: RequestLine) -> Bool {
        guard line.signature != nil else {
            if errorsClose { return false }
            let isServers =
                faults.isArmed(.serverVerbsClose) && wireNames(.fromServer).contains(line.verb)
            return isServers && faults.shouldInject(.serverVerbsClose)
                || faults.shouldInject(.unknownCommandsClose)
        }
        if isWrongPong(line), faults.shouldInject(.wrongPongsClose) { return true }
        for issue in line.message.issues {
            switch issue {
            case .tooFew where errorsClose: break
            case .invalidArgument where errorsClose: break
            case .tooFew: if faults.shouldInject(.fewArgumentsClose) { return true }
            case .tooMany: if faults.shouldInject(.extraArgumentsClose) { return true }
            case .invalidArgument: if faults.shouldInject(.badValuesClose) { return true }
            case .badEscape: if faults.shouldInject(.unknownEscapesClose) { return true }
            case .unknownCommand, .notJSON: break
            }
        }
        if hasEmptyArgument(line), faults.shouldInject(.emptyArgumentsClose) { return true }
        return faults.isArmed(.unknownEscapesClose) && hasUnknownEscape(line.bytes)
            && faults.shouldInject(.unknownEscapesClose)
    }

    /// Returns whether an argument is present but empty.
    private func hasEmptyArgument(_ line: RequestLine) -> Bool {
        guard faults.isArmed(.emptyArgumentsClose) else { return false }
        return line.message.split.fields.contains { $0.value.isEmpty }
    }

    /// Returns whether the line answers a ping with a token that the server never sends.
    private func isWrongPong(_ line: RequestLine) -> Bool {
        faults.isArmed(.wrongPongsClose) && line.signature?.name == "pong"
            && line.bytes.firstRange(of: IRCRules.serverName) == nil
    }

    /// Returns whether the bytes contain an undefined escape or end in an escape byte.
    private func hasUnknownEscape(_ bytes: [UInt8]) -> Bool {
        guard case .table(let table) = dialect.argumentRule(.fromClient) else { return false }
        var index = 0
        while let escape = bytes[index...].firstIndex(of: table.escape) {
            guard escape + 1 < bytes.count, table.meaning[bytes[escape + 1]] != nil else {
                return true
            }
            index = escape + 2
        }
        return false
    }

    /// Returns whether an argument that has a default value was omitted.
    private func lacksDefault(_ line: RequestLine) -> Bool {
        guard let signature = line.signature else { return false }
        let positional = signature.arguments.filter { $0.position == .field }
        return positional.dropFirst(line.message.split.fields.count).contains { argument in
            switch argument.defaultValue {
            case nil, .int(0), .bool(false), .text([]): false
            default: true
            }
        }
    }

    private func wireNames(_ direction: Direction) -> [[UInt8]] {
        dialect.commands.signatures.compactMap { signature in
            guard signature.direction.allows(direction), case .exact(let name) = signature.wire
            else { return nil }
            return name
        }
    }

    private static func upper(_ bytes: [UInt8]) -> [UInt8] { bytes.map(ASCII.uppercased) }
}
