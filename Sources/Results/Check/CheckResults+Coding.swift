import LineProtocol

/// Encodes and decodes check results in the `linejudge.check/2` format. The coding keys define the
/// schema.
extension CheckResults: Codable {
    private enum Key: String, CodingKey {
        case schema, toolVersion, seed, dialect, endpoint, capture, software, startedAt
        case durationNanoseconds, strict, interruption, serverReplacements, serverLog, drift, checks
        case commandTable
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            toolVersion: try container.decode(String.self, forKey: .toolVersion),
            seed: try container.decode(UInt64.self, forKey: .seed),
            dialect: try container.decode(String.self, forKey: .dialect),
            endpoint: try container.decode(String.self, forKey: .endpoint),
            software: try container.decodeIfPresent(String.self, forKey: .software),
            startedAt: try container.decode(Int64.self, forKey: .startedAt),
            duration: try container.decode(Int64.self, forKey: .durationNanoseconds),
            isStrict: try container.decodeFlag(.strict),
            checks: try container.decode([CheckResult].self, forKey: .checks))
        capture = try container.decodeIfPresent(String.self, forKey: .capture)
        interruption = try container.decodeIfPresent(String.self, forKey: .interruption)
        replacements = try container.decodeIfPresent(Int.self, forKey: .serverReplacements) ?? 0
        serverLog = try container.decodeIfPresent(String.self, forKey: .serverLog)
        drift = try container.decodeIfPresent(Drift.self, forKey: .drift)
        commandTable = try container.decodeIfPresent(SchemaRecord.self, forKey: .commandTable)?
            .report
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.schema, forKey: .schema)
        try container.encode(toolVersion, forKey: .toolVersion)
        try container.encode(seed, forKey: .seed)
        try container.encode(dialect, forKey: .dialect)
        try container.encode(endpoint, forKey: .endpoint)
        try container.encodeIfPresent(capture, forKey: .capture)
        try container.encodeIfPresent(software, forKey: .software)
        try container.encode(startedAt, forKey: .startedAt)
        try container.encode(duration, forKey: .durationNanoseconds)
        try container.encode(ifTrue: isStrict, forKey: .strict)
        try container.encodeIfPresent(interruption, forKey: .interruption)
        if replacements > 0 { try container.encode(replacements, forKey: .serverReplacements) }
        try container.encodeIfPresent(serverLog, forKey: .serverLog)
        try container.encodeIfPresent(drift, forKey: .drift)
        try container.encode(checks, forKey: .checks)
        try container.encodeIfPresent(commandTable.map(SchemaRecord.init), forKey: .commandTable)
    }
}

extension CheckResult: Codable {
    private enum Key: String, CodingKey {
        case id, rule, parameter, claim, level, basis, basisLocation, clause, `class`, verdict
        case reason, finding, `case`, sent, rate, scenario, scenarioPath, scenarioPasses,
            segmentation
        case transcript, casesRun, timingBased, unreachable, durationNanoseconds
    }

    private enum ClauseKey: String, CodingKey { case document, section, quote }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let id = CheckID(
            try container.decode(String.self, forKey: .rule),
            try container.decodeIfPresent(String.self, forKey: .parameter))
        self.init(
            CheckID(parsing: id.description),
            try container.decode(word: .verdict, "verdict"),
            reason: try container.decode(orEmpty: .reason))
        claim = try container.decode(orEmpty: .claim)
        level = try container.decode(word: .level, "level")
        basis = try container.decode(orEmpty: .basis)
        basisLocation = try container.decodeIfPresent(BasisLocation.self, forKey: .basisLocation)
        if container.contains(.clause) {
            let fields = try container.nestedContainer(keyedBy: ClauseKey.self, forKey: .clause)
            clause = Clause(
                id: "", document: try fields.decode(String.self, forKey: .document),
                section: try fields.decode(String.self, forKey: .section),
                quote: try fields.decode(String.self, forKey: .quote), level: level, rules: [])
        }
        classOfFile = try container.decodeIfPresent(CheckClass.self, forKey: .class)
        finding = try container.decodeIfPresent(Finding.self, forKey: .finding)
        caseTitle = try container.decode(orEmpty: .case)
        stimulus = try container.decode(orEmpty: .sent)
        rate = try container.decodeIfPresent(FailureRate.self, forKey: .rate)
        scenario = try container.decodeIfPresent(String.self, forKey: .scenario)
        scenarioPath = try container.decodeIfPresent(String.self, forKey: .scenarioPath)
        scenarioPasses = try container.decodeFlag(.scenarioPasses)
        let text = try container.decodeIfPresent(String.self, forKey: .segmentation)
        segmentation = text.flatMap { Segmentation($0) } ?? .whole
        transcript = try container.decode(orEmpty: .transcript)
        casesRun = try container.decode(Int.self, forKey: .casesRun)
        isTimingBased = try container.decodeFlag(.timingBased)
        isUnreachable = try container.decodeFlag(.unreachable)
        duration = try container.decode(Int64.self, forKey: .durationNanoseconds)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(id.rule, forKey: .rule)
        try container.encodeIfPresent(id.parameter, forKey: .parameter)
        try container.encode(unlessEmpty: claim, forKey: .claim)
        try container.encode(level.rawValue, forKey: .level)
        try container.encode(unlessEmpty: basis, forKey: .basis)
        try container.encodeIfPresent(basisLocation, forKey: .basisLocation)
        if let clause {
            var fields = container.nestedContainer(keyedBy: ClauseKey.self, forKey: .clause)
            try fields.encode(clause.document, forKey: .document)
            try fields.encode(clause.section, forKey: .section)
            try fields.encode(clause.quote, forKey: .quote)
        }
        try container.encodeIfPresent(verdict == .skipped ? nil : measured, forKey: .class)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(unlessEmpty: reason, forKey: .reason)
        try container.encodeIfPresent(finding, forKey: .finding)
        try container.encode(unlessEmpty: caseTitle, forKey: .case)
        try container.encodeIfPresent(rate, forKey: .rate)
        try container.encodeIfPresent(scenario, forKey: .scenario)
        try container.encodeIfPresent(scenarioPath, forKey: .scenarioPath)
        try container.encode(ifTrue: scenarioPasses, forKey: .scenarioPasses)
        if segmentation != .whole { try container.encode(segmentation.word, forKey: .segmentation) }
        // Passed checks are written without transcripts, which would make the file very large.
        if Verdict.explained.contains(verdict) {
            try container.encode(unlessEmpty: stimulus, forKey: .sent)
            try container.encode(unlessEmpty: transcript, forKey: .transcript)
        }
        try container.encode(casesRun, forKey: .casesRun)
        try container.encode(ifTrue: isTimingBased, forKey: .timingBased)
        try container.encode(ifTrue: isUnreachable, forKey: .unreachable)
        try container.encode(duration, forKey: .durationNanoseconds)
    }
}

extension CheckID: Encodable {
    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension CheckClass: Codable {
    package init(from decoder: any Decoder) throws { self.init(try String(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

/// Encodes and decodes differences from a baseline.
extension CheckResults.Drift: Codable {
    private enum Key: String, CodingKey {
        case baseline, changed, undecided, unsteady, gone, new, same
    }

    private struct Pair: Codable {
        var id: String
        var recorded: CheckClass?
        var now: CheckClass?

        init(_ pair: BaselineComparison.Pair) { self.init("\(pair.id)", pair.before, pair.now) }

        init(_ id: String, _ recorded: CheckClass?, _ now: CheckClass?) {
            self.id = id
            self.recorded = recorded
            self.now = now
        }

        var pair: BaselineComparison.Pair {
            BaselineComparison.Pair(
                id: CheckID(parsing: id), before: recorded ?? .inconclusive,
                now: now ?? .inconclusive
            )
        }

        var single: BaselineComparison.Single {
            BaselineComparison.Single(
                id: CheckID(parsing: id), measured: recorded ?? now ?? .inconclusive)
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func pairs(_ key: Key) throws -> [Pair] { try container.decode([Pair].self, forKey: key) }
        var comparison = BaselineComparison()
        comparison.changed = try pairs(.changed).map(\.pair)
        comparison.undecided = try pairs(.undecided).map(\.pair)
        comparison.unsteady = try pairs(.unsteady).map(\.pair)
        comparison.gone = try pairs(.gone).map(\.single)
        comparison.added = try pairs(.new).map(\.single)
        comparison.same = try container.decode(Int.self, forKey: .same)
        self.init(
            baseline: try container.decode(String.self, forKey: .baseline), comparison: comparison)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(baseline, forKey: .baseline)
        try container.encode(comparison.changed.map(Pair.init), forKey: .changed)
        try container.encode(comparison.undecided.map(Pair.init), forKey: .undecided)
        try container.encode(comparison.unsteady.map(Pair.init), forKey: .unsteady)
        let gone = comparison.gone.map { Pair("\($0.id)", $0.measured, nil) }
        let new = comparison.added.map { Pair("\($0.id)", nil, $0.measured) }
        try container.encode(gone, forKey: .gone)
        try container.encode(new, forKey: .new)
        try container.encode(comparison.same, forKey: .same)
    }
}

/// Encodes and decodes a check matrix in the `linejudge.check-matrix/2` format.
extension CheckMatrix: Codable {
    private enum Key: String, CodingKey { case schema, servers, differences }

    /// A check in which servers behave differently.
    private struct Difference: Encodable {
        var id: CheckID
        var majority: CheckClass?
        var minority: [String]
        /// The conclusive classes, by server name.
        var classes: [String: CheckClass]
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(try container.decode([Server].self, forKey: .servers))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.schema, forKey: .schema)
        try container.encode(servers, forKey: .servers)
        let differences = differences.map { row in
            var classes: [String: CheckClass] = [:]
            for (server, cell) in zip(servers, row.cells) {
                guard let measured = cell?.measured, measured.isDecided else { continue }
                classes[server.name] = measured
            }
            return Difference(
                id: row.id, majority: row.majority, minority: row.minority.map { servers[$0].name },
                classes: classes)
        }
        try container.encode(differences, forKey: .differences)
    }
}
