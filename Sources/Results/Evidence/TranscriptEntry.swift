/// One line that went over a connection, or an event of it.
package struct TranscriptEntry: Sendable, Equatable {
    /// Nanoseconds since the scenario's start.
    package var time: Int64
    /// The operator's name.
    package var operatorName: String
    /// What happened.
    package var kind: Kind
    /// The line without its terminator, or what was sent as it was; secrets masked.
    package var bytes: [UInt8]
    /// The terminator's bytes.
    package var terminator: [UInt8]
    /// The payload after the line.
    package var payload: [UInt8]?
    /// What became of a received line.
    package var role: Role
    /// How many bytes of a line or payload that was too long are left out at its end.
    package var omittedBytes: Int
    /// The line (from 1) of the scenario's step that was under way, if one was.
    package var line: Int?

    /// An entry from its parts.
    package init(
        time: Int64, operatorName: String, kind: Kind, bytes: [UInt8] = [],
        terminator: [UInt8] = [], payload: [UInt8]? = nil, role: Role = .plain,
        omittedBytes: Int = 0, line: Int? = nil
    ) {
        self.time = time
        self.operatorName = operatorName
        self.kind = kind
        self.bytes = bytes
        self.terminator = terminator
        self.payload = payload
        self.role = role
        self.omittedBytes = omittedBytes
        self.line = line
    }

    /// What happened.
    package enum Kind: String, Sendable, Hashable {
        case connected, sent, received
        /// The peer has closed: in order, or by a reset.
        case closedByPeer, resetByPeer
        /// We have closed.
        case closed
    }

    /// What became of a received line.
    package enum Role: String, Sendable, Hashable {
        /// An expectation's business.
        case plain
        /// Passed over by `ignore`.
        case ignored
        /// Answered by a standing reply, or such an answer.
        case standing
        /// A probe or its answer.
        case probe
    }
}

/// A transcript entry in a results file; empty members are left out.
extension TranscriptEntry: Codable {
    private enum Key: String, CodingKey {
        case timeNanoseconds, `operator`, kind, bytes, terminator, payload, role, line
    }

    /// Reads an entry; an unknown kind or role is an error.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            time: try container.decode(Int64.self, forKey: .timeNanoseconds),
            operatorName: try container.decode(String.self, forKey: .operator),
            kind: try container.decode(word: .kind, "kind of transcript line"),
            bytes: try container.decodeBytes(.bytes),
            terminator: try container.decodeBytes(.terminator),
            payload: try container.decodeIfPresent(ByteText.self, forKey: .payload)?.bytes,
            role: container.contains(.role)
                ? try container.decode(word: .role, "role of a line") : .plain,
            line: try container.decodeIfPresent(Int.self, forKey: .line))
    }

    /// Writes the entry; how many bytes were left out is not written.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(time, forKey: .timeNanoseconds)
        try container.encode(operatorName, forKey: .operator)
        try container.encode(kind.rawValue, forKey: .kind)
        try container.encode(bytes: bytes, forKey: .bytes)
        try container.encode(bytes: terminator, forKey: .terminator)
        try container.encodeIfPresent(payload.map(ByteText.init), forKey: .payload)
        if role != .plain { try container.encode(role.rawValue, forKey: .role) }
        try container.encodeIfPresent(line, forKey: .line)
    }
}
