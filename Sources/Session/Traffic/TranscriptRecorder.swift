import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Recorder for sent and received lines. Secrets are masked before a line is stored.
struct TranscriptRecorder {
    private(set) var entries: [TranscriptEntry] = []
    /// Number of entries dropped so far.
    private(set) var dropped = 0
    var start: Int64 = 0
    /// Line number of the current step; nil before the first step.
    private var line: Int?
    /// Location of the current step if it is in an included file, otherwise nil.
    private var included: TranscriptEntry.IncludedStep?
    /// Index of the current step in the scenario; nil before the first step.
    private var step: Int?
    private(set) var byteCount = 0
    /// The names used at login. They are not secret, even as values of secret arguments.
    var loginNames: Set<[UInt8]> = []
    /// Masks the values of secret variables and, once they have been seen, the values of secret
    /// arguments.
    private(set) var mask: SecretMask
    private var secretArguments: SecretArguments
    private let limits: SessionLimits

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - secrets: the values of secret variables, as is and in the dialect's escaped forms.
    ///   - literals: the values of secret arguments in the scenario.
    ///   - arguments: the dialect's secret arguments, whose values are masked as well.
    init(
        secrets: [[UInt8]], literals: Set<[UInt8]> = [], _ arguments: SecretArguments,
        limits: SessionLimits
    ) {
        mask = SecretMask(secrets)
        for literal in literals { mask.learn(literal) }
        secretArguments = arguments
        self.limits = limits
    }

    /// Attributes subsequent entries to a step.
    mutating func setStep(_ origin: Origin, in program: Program) {
        line = program.line(of: origin)
        step = origin.step
        let path = origin.source.path
        let isIncluded =
            origin.useSite != nil
            && program.file.included.contains { $0.source.path == path }
        included =
            isIncluded
            ? TranscriptEntry.IncludedStep(
                file: path, line: origin.source.line(at: origin.range.start)) : nil
    }

    /// Adds an entry and returns its number.
    @discardableResult
    mutating func record(
        _ kind: TranscriptEntry.Kind, _ operatorName: String, at time: Int64,
        _ bytes: [UInt8] = [], terminator: [UInt8] = [], payload: [UInt8]? = nil,
        role: TranscriptEntry.Role = .plain
    ) -> Int {
        let original = (bytes, payload)
        var (bytes, payload) = original
        if !bytes.isEmpty, kind == .sent || kind == .received {
            (bytes, payload) = secretArguments.masked(
                bytes, payload: payload, from: kind == .sent ? .fromClient : .fromServer
            ) { if !loginNames.contains($0) { mask.learn($0) } }
        }
        (bytes, payload) = (mask.masked(bytes), payload.map(mask.masked))
        var entry = TranscriptEntry(
            time: time - start, operatorName: operatorName, kind: kind, bytes: bytes,
            terminator: terminator, payload: payload, role: role, line: line, included: included,
            step: step)
        entry.isMasked = (bytes, payload) != original
        cut(&entry)
        if entries.count >= limits.transcriptEntriesMax { drop(limits.transcriptEntriesMax / 2) }
        byteCount += Self.size(entry)
        entries.append(entry)
        if byteCount > limits.transcriptBytesMax { dropBytes() }
        return dropped + entries.count - 1
    }

    /// Sets the role of an entry that was recorded before its role was known.
    mutating func setRole(_ role: TranscriptEntry.Role, of entry: Int) {
        guard entries.indices.contains(entry - dropped) else { return }
        entries[entry - dropped].role = role
    }

    /// Truncates long data and records how many bytes were cut off.
    private func cut(_ entry: inout TranscriptEntry) {
        func kept(_ bytes: [UInt8]) -> [UInt8] {
            let excess = bytes.count - limits.entryBytesMax
            guard excess > 0 else { return bytes }
            entry.omittedBytes += excess
            return Array(bytes.prefix(limits.entryBytesMax))
        }
        entry.bytes = kept(entry.bytes)
        entry.payload = entry.payload.map(kept)
    }

    private mutating func dropBytes() {
        var count = 0
        var left = byteCount
        while count < entries.count - 1, left > limits.transcriptBytesMax / 2 {
            left -= Self.size(entries[count])
            count += 1
        }
        drop(count)
    }

    private mutating func drop(_ count: Int) {
        byteCount -= entries.prefix(count).reduce(0) { $0 + Self.size($1) }
        entries.removeFirst(count)
        dropped += count
    }

    private static func size(_ entry: TranscriptEntry) -> Int {
        entry.bytes.count + (entry.payload?.count ?? 0)
    }
}
