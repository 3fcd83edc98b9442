public import LineProtocol

/// Writer for dialect files that read back as an identical dialect. Defaults are omitted, keys are
/// in the order of the reference documentation, and the profile is merged into the dialect.
public enum DialectWriter {
    /// Returns the dialect as YAML.
    public static func yaml(_ dialect: Dialect) -> String {
        var lines = ["name: \(dialect.name)"]
        if !dialect.summary.isEmpty { lines.append("summary: \(YamlText.scalar(dialect.summary))") }
        if let port = dialect.port { lines.append("port: \(port)") }
        let writer = SectionWriter(dialect)
        lines += section("framing", writer.framing)
        lines += section("fields", writer.fields)
        lines += section("escaping", writer.escaping)
        lines += section("tolerance", writer.tolerance(dialect.tolerance, "tolerance"))
        lines += section("policies", writer.policies)
        let commands = dialect.commands.signatures.flatMap(SignatureWriter(dialect).lines)
        lines += section("commands", commands)
        lines += section("behaviours", writer.behaviours)
        lines += section("rejects", writer.patterns(dialect.rejects))
        lines += section("ignores", writer.patterns(dialect.ignores))
        lines += section("offers", writer.offers)
        if let names = dialect.checkedCommands {
            lines += ["", "checked-commands: [\(names.joined(separator: ", "))]"]
        }
        lines += section("timing", writer.timing)
        lines += section("clauses", writer.clauses)
        lines += section("known-failures", writer.knownFailures)
        return lines.map { $0 + "\n" }.joined()
    }

    private static func section(_ name: String, _ lines: [String]) -> [String] {
        guard !lines.isEmpty else { return [] }
        return ["", "\(name):"] + lines.map { $0.isEmpty ? "" : "  " + $0 }
    }
}

/// Writer for the sections of a dialect file, without their indentation.
struct SectionWriter {
    let dialect: Dialect

    init(_ dialect: Dialect) { self.dialect = dialect }

    func isOpen(_ path: String) -> Bool { dialect.openPolicies.contains(path) }

    // MARK: Framing

    var framing: [String] {
        let framing = dialect.framing
        var lines: [String] = []
        let client = side(framing.fromClient)
        let server = side(framing.fromServer)
        lines += client.filter(server.contains)
        for (name, side, other) in [("client", client, server), ("server", server, client)] {
            let own = side.filter { !other.contains($0) }
            if !own.isEmpty { lines += ["\(name):"] + own.map { "  " + $0 } }
        }
        let isOpen = isOpen("framing.empty-lines")
        let word = framing.emptyLines == .ignore ? "ignore" : "message"
        lines.append("empty-lines: \(isOpen ? "'?'" : word)")
        let isBare = framing.payloads.contains { !$0.terminated }
        if isBare { lines.append("payload-end: none") }
        switch framing.unit {
        case .line, .resp: break
        case .lengthPrefix(let prefix):
            lines.append(
                "length-prefix: {bytes: \(prefix.width), counts-itself: \(prefix.countsItself), drops-nul: \(prefix.dropsFinalNUL)}"
            )
        case .headerFrame(let header):
            lines.append("header-frames: {length: \(YamlText.scalar(header))}")
        }
        switch framing.grouping {
        case .none: break
        case .closingStatus(let verb, let asynchronous):
            let more =
                asynchronous.isEmpty ? "" : ", asynchronous: \(YamlText.scalar(asynchronous))"
            lines.append("grouping: {closing: \(YamlText.scalar(verb))\(more)}")
        case .mark(let byte, let count):
            lines.append("grouping: {mark: \(ByteName.yaml(byte)), after: \(count)}")
        }
        if framing.greeting { lines.append("greeting: true") }
        if framing.telnet { lines.append("telnet: true") }
        return lines
    }

    private func side(_ side: Framing.Side) -> [String] {
        let accepted = side.accepted.map(\.name).joined(separator: ", ")
        let limits = side.limits
        let tags = limits.tagBytesMax == 0 ? "" : "tags: \(limits.tagBytesMax), "
        let overflow =
            switch side.overflow {
            case .open: "'?'"
            case .truncate: "truncate"
            case .reject: "reject"
            case .discard: "discard"
            case .close: "close"
            }
        let ends = ["terminator: \(side.terminator.name)", "accept: [\(accepted)]"]
        return (dialect.framing.unit == .resp ? [] : ends) + [
            "limits: {line: \(limits.lineBytesMax), \(tags)payload: \(limits.payloadBytesMax), counts-terminator: \(limits.countsTerminator)}",
            "overflow: \(overflow)",
        ]
    }

    // MARK: Fields

    var fields: [String] { bothSides { fields(dialect.syntax[$0]) } }

    /// Returns the lines for both directions or, if they differ, those for each direction under
    /// `client` and `server`.
    private func bothSides(_ lines: (Direction) -> [String]) -> [String] {
        let client = lines(.fromClient)
        let server = lines(.fromServer)
        if client == server { return client }
        return [("client", client), ("server", server)].filter { !$0.1.isEmpty }
            .flatMap { name, lines in ["\(name):"] + lines.map { "  " + $0 } }
    }

    private func fields(_ syntax: FieldSyntax) -> [String] {
        var lines: [String] = []
        if let json = syntax.json {
            lines.append("json: {\(self.json(json))}")
            if syntax.ignoresVerbCase { lines.append("verb-case: insensitive") }
            return lines
        }
        if syntax.resp {
            lines.append("resp: true")
            if syntax.ignoresVerbCase { lines.append("verb-case: insensitive") }
            return lines
        }
        let separators = syntax.separators.map(ByteName.yaml)
        lines.append(
            "separator: "
                + (separators.count == 1
                    ? separators[0] : "[\(separators.joined(separator: ", "))]"))
        if syntax.separatorRuns { lines.append("runs: true") }
        switch syntax.verb {
        case .first: break
        case .firstUnlessKeyValue: lines.append("verb: first-unless-key-value")
        case .bytes(let count): lines.append("verb: {bytes: \(count)}")
        case .none: lines.append("verb: none")
        }
        if syntax.ignoresVerbCase { lines.append("verb-case: insensitive") }
        if let marker = syntax.sourceMarker { lines.append("source: \(ByteName.yaml(marker))") }
        if let tags = syntax.tags {
            lines.append(
                "tags: {marker: \(ByteName.yaml(tags.marker)), separator: \(ByteName.yaml(tags.separator)), assignment: \(ByteName.yaml(tags.assignment))}"
            )
        }
        if let marker = syntax.trailingMarker { lines.append("trailing: \(ByteName.yaml(marker))") }
        if let keyValue = syntax.keyValue {
            var parts = ["assignment: \(ByteName.yaml(keyValue.assignment))"]
            if let marker = keyValue.optionMarker {
                parts.append("options: \(ByteName.yaml(marker))")
            }
            if let row = keyValue.rowSeparator { parts.append("rows: \(ByteName.yaml(row))") }
            if !keyValue.firstWins { parts.append("duplicates: last") }
            lines.append("key-value: {\(parts.joined(separator: ", "))}")
        }
        if syntax.fieldsMax != FieldSyntax().fieldsMax { lines.append("max: \(syntax.fieldsMax)") }
        if syntax.quotes { lines.append("quotes: true") }
        return lines
    }

    private func json(_ syntax: JSONSyntax) -> String {
        let form =
            switch syntax.form {
            case .key(let path): "command: \(YamlText.scalar(path.text))"
            case .onlyKey: "form: only-key"
            case .rpc: "form: json-rpc"
            }
        return form + (syntax.firstWins ? ", duplicates: first" : "")
    }

    // MARK: Escaping

    var escaping: [String] { bothSides(escaping) }

    private func escaping(_ direction: Direction) -> [String] {
        let syntax = dialect.syntax[direction]
        let escaping = dialect.escaping[direction]
        if syntax.json != nil || syntax.resp { return [] }
        var lines = rule("field", escaping.field, .field, for: direction)
        if syntax.trailingMarker != nil {
            lines += rule("trailing", escaping.trailing, .trailing, for: direction)
        }
        if syntax.tags != nil { lines += rule("tag", escaping.tagValue, .tag, for: direction) }
        if syntax.keyValue != nil {
            lines += rule("key", escaping.key, .key, for: direction)
            lines += rule("value", escaping.value, .value, for: direction)
        }
        let exempt = escaping.exemptVerbs.map { YamlText.scalar($0) }
        if !exempt.isEmpty { lines.append("exempt: [\(exempt.joined(separator: ", "))]") }
        return lines
    }

    private func rule(
        _ name: String, _ rule: EscapeRule, _ position: SignificantBytes.Position,
        for direction: Direction
    ) -> [String] {
        let significant = SignificantBytes(dialect.framing, dialect.syntax[direction])
        // Separators and terminators are left out, because the reader always adds them.
        func stated(_ forbidden: ByteSet) -> String {
            let bytes = forbidden.subtracting(significant.bytes(position)).bytes.map(ByteName.yaml)
            return bytes.isEmpty ? "" : "forbidden: [\(bytes.joined(separator: ", "))]"
        }
        switch rule {
        case .none(let forbidden):
            let bytes = stated(forbidden)
            return ["\(name): \(bytes.isEmpty ? "none" : "{\(bytes)}")"]
        case .quotes: return ["\(name): quotes"]
        case .json: return []
        case .percent(let encoded):
            let bytes = encoded.bytes.map(ByteName.yaml).joined(separator: ", ")
            return ["\(name): {percent: [\(bytes)]}"]
        case .doubling(let byte, let forbidden):
            let bytes = stated(forbidden)
            return [
                "\(name): {doubling: \(ByteName.yaml(byte))\(bytes.isEmpty ? "" : ", \(bytes)")}"
            ]
        case .table(let table):
            let bytes = stated(table.forbidden)
            return ["\(name):"] + self.table(table, name, direction)
                + (bytes.isEmpty ? [] : ["  \(bytes)"])
        }
    }

    private func table(
        _ table: EscapeTable, _ position: String, _ direction: Direction
    ) -> [String] {
        let letters = table.meaning.sorted { $0.key < $1.key }.map {
            "\(ByteName.yaml($0.key)): \(ByteName.yaml($0.value))"
        }
        let unknown =
            switch table.unknown {
            case .letter: "letter"
            case .verbatim: "verbatim"
            case .error: "error"
            }
        let lone =
            switch table.lone {
            case .drop: "drop"
            case .verbatim: "verbatim"
            case .error: "error"
            }
        func word(_ key: String, _ word: String) -> String {
            let side = direction == .fromClient ? "client" : "server"
            let paths = ["", "\(side)."].flatMap { ["\($0)\(position).\(key)", "\($0)\(key)"] }
            return paths.contains { isOpen("escaping.\($0)") } ? "'?'" : word
        }
        return [
            "  escape: \(ByteName.yaml(table.escape))",
            "  letters: {\(letters.joined(separator: ", "))}",
            "  unknown: \(word("unknown", unknown))", "  lone: \(word("lone", lone))",
        ]
    }

    // MARK: Tolerance and policies

    func tolerance(_ tolerance: Tolerance, _ path: String) -> [String] {
        let tooFew =
            switch tolerance.tooFew {
            case .fill: "fill"
            case .reject: "reject"
            case .open: "'?'"
            }
        let tooMany =
            switch tolerance.tooMany {
            case .ignore: "ignore"
            case .joinLast: "join-last"
            case .reject: "reject"
            case .open: "'?'"
            }
        let mismatch =
            switch tolerance.mismatch {
            case .zero: "zero"
            case .reject: "reject"
            case .open: "'?'"
            }
        return ["too-few: \(tooFew)", "too-many: \(tooMany)", "mismatch: \(mismatch)"]
    }

    var policies: [String] {
        PolicyCatalogue.policies.compactMap { policy in
            dialect.policies[policy.name].map { "\(policy.name): \($0)" }
        }
    }
}
