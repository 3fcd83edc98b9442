package import Diagnostics

/// What came of playing a scenario.
package struct PlayResult: Sendable {
    /// How it came out.
    package var outcome: Outcome
    /// What is to be said about it; nil if all is well.
    package var diagnostic: Diagnostic?
    /// The line (from 1) of the step that decided it, if one did.
    package var line: Int?
    /// Every line sent and received, in order, secrets masked.
    package var transcript: [TranscriptEntry]
    /// How many entries before those of ``transcript`` were left out, because there were too many.
    package var omittedEntries: Int
    /// Whether something could only be decided by waiting (a probe was not answered, or there is none).
    package var isTimingBased: Bool
    /// From start to end, in nanoseconds.
    package var duration: Int64
    /// How many steps were played.
    package var stepsPlayed: Int

    /// A result from its parts.
    package init(
        outcome: Outcome, diagnostic: Diagnostic? = nil, line: Int? = nil,
        transcript: [TranscriptEntry] = [], omittedEntries: Int = 0, isTimingBased: Bool = false,
        duration: Int64 = 0,
        stepsPlayed: Int = 0
    ) {
        self.outcome = outcome
        self.diagnostic = diagnostic
        self.line = line
        self.transcript = transcript
        self.omittedEntries = omittedEntries
        self.isTimingBased = isTimingBased
        self.duration = duration
        self.stepsPlayed = stepsPlayed
    }

    /// How a play came out.
    package enum Outcome: String, Sendable, Hashable {
        /// Every expectation was met.
        case passed
        /// An expectation was not met.
        case failed
        /// It could not be decided: no connection, or interrupted.
        case inconclusive
    }
}

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
