/// A line sent or received on a connection, or a connection event.
package struct TranscriptEntry: Sendable, Equatable {
    /// Time in nanoseconds since the start of the scenario.
    package var time: Int64
    package var operatorName: String
    package var kind: Kind
    /// The line without its terminator, or the reason that the peer gave for closing the
    /// connection. Secrets are masked.
    package var bytes: [UInt8]
    package var terminator: [UInt8]
    /// The payload that follows the line; nil if there is none.
    package var payload: [UInt8]?
    /// How the session treated a received line.
    package var role: Role
    /// Number of bytes truncated from a line or payload that is too long to store.
    package var omittedBytes: Int
    /// True if a secret in the line or payload was masked.
    package var isMasked = false
    /// Line number, starting at 1, of the scenario step that was running; nil if none was.
    package var line: Int?
    /// Location of the step that was running, if the step is in an included file; otherwise nil. If
    /// it is set, ``line`` is the line of the `use` statement.
    package var included: IncludedStep?
    /// Index, in the scenario, of the step that was running, or of the block or `use` that contains
    /// it; nil if none was. Not part of the results file.
    package var step: Int?

    package init(
        time: Int64, operatorName: String, kind: Kind, bytes: [UInt8] = [],
        terminator: [UInt8] = [], payload: [UInt8]? = nil, role: Role = .plain,
        omittedBytes: Int = 0, line: Int? = nil, included: IncludedStep? = nil, step: Int? = nil
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
        self.included = included
        self.step = step
    }

    /// Location of a step in a file that the scenario includes.
    package struct IncludedStep: Sendable, Equatable, Codable {
        package var file: String
        /// Line number, starting at 1.
        package var line: Int

        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }
    }

    /// Type of a transcript entry.
    package enum Kind: String, Sendable, Hashable {
        case connected, sent, received
        /// The peer closed the connection, either normally or with a reset.
        case closedByPeer, resetByPeer
        /// Linejudge closed the connection.
        case closed
    }

    /// The session's treatment of a received line.
    package enum Role: String, Sendable, Hashable {
        /// The line can be matched by expectations.
        case plain
        /// The line was skipped because of an `ignore` statement.
        case ignored
        /// The line matched a standing rule, or is the rule's reply.
        case standing
        /// The line is a probe or the answer to one.
        case probe
    }
}

/// Encodes and decodes a transcript entry, omitting empty members.
extension TranscriptEntry: Codable {
    private enum Key: String, CodingKey {
        case timeNanoseconds, `operator`, kind, bytes, terminator, payload, role, line, included
    }

    /// Decodes an entry. Throws an error if its kind or role is unknown.
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
                ? try container.decode(word: .role, "line role") : .plain,
            line: try container.decodeIfPresent(Int.self, forKey: .line),
            included: try container.decodeIfPresent(IncludedStep.self, forKey: .included))
    }

    /// Encodes the entry. `omittedBytes`, `isMasked` and `step` are never written.
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
        try container.encodeIfPresent(included, forKey: .included)
    }
}
