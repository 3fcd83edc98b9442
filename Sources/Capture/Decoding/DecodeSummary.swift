package import Diagnostics
import DialectFiles
import LineProtocol
package import Results

/// Summary of a decoded capture, for standard error.
package struct DecodeSummary {
    let outcome: DecodeOutcome
    private let filters: CaptureFilters

    package init(_ outcome: DecodeOutcome, _ filters: CaptureFilters) {
        self.outcome = outcome
        self.filters = filters
    }

    private var mismatch: FilterMismatch { FilterMismatch(filters: filters, outcome: outcome) }

    /// Diagnostics to show before the summary line.
    ///
    /// - Parameter isQuiet: Whether to leave out notes.
    package func diagnostics(isQuiet: Bool) -> [Diagnostic] {
        notes.filter { !isQuiet || $0.severity != .note }
    }

    private var notes: [Diagnostic] {
        var notes = diagnostics
        if outcome.dialects.isGuess, outcome.counts.conversation.lines > 0 {
            notes = guesses + notes
        }
        if let nothingDecoded { notes.append(nothingDecoded) }
        if let mismatchWarning { notes.append(mismatchWarning) }
        if unknownCommands.isEmpty, let nothing = mismatch.diagnostic { notes.append(nothing) }
        return notes
    }

    /// Throws a failure with the exit code for the decoded capture, unless the code is 0.
    ///
    /// - Parameters:
    ///   - damage: Why a compressed capture could not be decompressed completely; nil if it could.
    ///   - isIncomplete: Whether one of several captures could not be opened.
    ///   - isStrict: Whether lines that violate the dialect count as failures.
    ///   - expectsDeliveries: Whether problems with deliveries count as failures.
    ///   - showsConnections: Whether connections are shown even if they have no lines.
    package func checkEnding(
        _ damage: CommandFailure?, isIncomplete: Bool, isStrict: Bool,
        expectsDeliveries: Bool = false, showsConnections: Bool = false
    ) throws(CommandFailure) {
        if let failure = outcome.slice?.failure { throw failure }
        if damage != nil || isIncomplete || !outcome.errors.isEmpty
            || outcome.counts.damagedPackets > 0
        {
            throw CommandFailure(
                outcome.counts.packets.packets == 0 ? .inconclusive : .failed,
                Diagnosed(damage?.diagnostics ?? []))
        }
        let unknown = unknownCommands
        guard unknown.isEmpty else { throw CommandFailure(.usage, Diagnosed(unknown)) }
        let hasSlice = outcome.slice.map { $0.packets > 0 } ?? false
        let isEmpty =
            outcome.counts.conversation.lines == 0 && !hasSlice
            && !(showsConnections && outcome.counts.streams.connections > 0)
        if isEmpty || mismatch.excludesEverything {
            throw CommandFailure(.inconclusive)
        }
        if expectsDeliveries, let deliveries = outcome.deliveries { try check(deliveries) }
        if isStrict, outcome.counts.conversation.broken > 0 { throw CommandFailure(.failed) }
    }

    private func check(_ deliveries: DeliveryCounts) throws(CommandFailure) {
        if deliveries.hasFindings {
            throw CommandFailure(
                .failed, "capture.deliveries",
                "not all deliveries are correct: \(deliveries.problems)")
        }
        guard deliveries.due > 0 || deliveries.answers > 0 else {
            throw CommandFailure(
                .inconclusive, "capture.no-deliveries",
                "--expect: the capture has no message to a known member and no answered probe")
        }
    }

    /// Diagnostics about requested commands that no dialect defines and that are not the first word
    /// of any line.
    private var unknownCommands: [Diagnostic] {
        guard let findings = outcome.findings else { return [] }
        let words = UnknownCommands(dialects: outcome.dialects.files).among(filters.commands)
        let spoken = outcome.dialects.spoken
        let nearest = UnknownCommands(dialects: spoken.isEmpty ? outcome.dialects.files : spoken)
        return words.filter { !findings.verbs.contains($0) }.map {
            nearest.diagnostic($0, .error, ", and no line begins with it")
        }
    }

    /// The summary line, with line, violation and gap counts.
    package var line: String {
        let counts = outcome.counts
        var parts = [
            "\(counted(counts.packets.packets, "packet"))",
            "\(counted(counts.streams.connections, "connection"))",
            "\(counted(counts.conversation.lines, "line"))",
        ]
        let broken = counts.conversation.broken
        if broken > 0 { parts.append(broken == 1 ? "1 line violates" : "\(broken) lines violate") }
        var text = parts.prefix(3).joined(separator: ", ")
        if let last = parts.dropFirst(3).first {
            let spoken = outcome.dialects.spoken
            let name = spoken.count == 1 ? spoken[0].dialect.name : nil
            text += "; \(last) " + (name.map { "the \($0) dialect" } ?? "the dialect of the port")
        }
        if counts.conversation.afterReset > 0 {
            text += "; \(counted(counts.conversation.afterReset, "line")) captured after a reset"
        }
        if counts.streams.gaps > 0 {
            text +=
                "; \(counted(counts.streams.missingBytes, "byte")) missing in "
                + counted(counts.streams.gaps, "gap")
        }
        if counts.streams.conflicts > 0 {
            text +=
                "; \(counted(counts.streams.conflicts, "retransmission")) with different content"
        }
        return text + "\n"
    }

    /// Notes and warnings about the capture.
    private var diagnostics: [Diagnostic] {
        let counts = outcome.counts
        var notes: [Diagnostic] = []
        func note(_ severity: Severity, _ code: DiagnosticCode, _ text: String) {
            notes.append(Diagnostic(severity, code, text))
        }
        if counts.packets.unknownLinkType > 0 {
            let types = counts.unknownLinkTypes.map { String($0.number) }
            note(
                .warning, "capture.link-type",
                "\(counted(counts.packets.unknownLinkType, "packet")) skipped: unsupported "
                    + (types.count == 1 ? "link type " : "link types ")
                    + types.joined(separator: ", "))
        }
        let tunnelled = counts.packets.tunnelled
        if tunnelled.count > 0 {
            note(
                .warning, "capture.tunnels",
                "\(counted(tunnelled.count, "tunnelled packet")) skipped "
                    + "(\(tunnelled.names.joined(separator: ", "))): encrypted, fragmented, "
                    + "damaged or of an unsupported version")
        }
        let others = counts.packets.others
        if !others.isEmpty {
            note(
                .note, "capture.not-tcp",
                "\(counted(counts.packets.notTCP - tunnelled.count, "non-TCP packet")) skipped: "
                    + others.joined(separator: ", "))
        }
        if counts.packets.malformed > 0 {
            note(
                .warning, "capture.malformed-packets",
                "\(counted(counts.packets.malformed, "packet")) skipped: the headers are invalid or cut off"
            )
        }
        if counts.restarts > 0 {
            note(
                .warning, "capture.replaced",
                "the file was replaced or truncated \(counted(counts.restarts, "time")); "
                    + "data that had not been read by then is missing")
        }
        if counts.unreadPackets > 0 {
            note(
                .warning, "capture.unread-packets",
                "\(counted(counts.unreadPackets, "packet")) skipped: larger than "
                    + "\(CaptureParser.packetBytesMax >> 10) KiB")
        }
        if counts.damagedPackets > 0 {
            note(
                .error, "capture.unknown-interface",
                "\(counted(counts.damagedPackets, "packet")) skipped: from an interface that the "
                    + "capture does not describe")
        }
        if counts.packets.droppedFragments > 0 {
            note(
                .warning, "capture.fragments",
                "\(counted(counts.packets.droppedFragments, "IP fragment")) could not be reassembled"
            )
        }
        if counts.streams.forgotten > 0 {
            note(
                .warning, "capture.too-many-connections",
                "\(counted(counts.streams.forgotten, "connection")) dropped: more than "
                    + "\(ReassemblyOptions.usualConnectionsMax) were open at the same time")
        }
        if counts.streams.ignored > 0 {
            note(
                .warning, "capture.ignored-segments",
                "\(counted(counts.streams.ignored, "segment")) ignored: outside the TCP window, "
                    + "after the end of the stream, or in a reset")
        }
        if let slice = outcome.slice, slice.incompleteConnections > 0 {
            notes.append(Self.incompleteSlice(slice.incompleteConnections))
        }
        return notes + tlsNotes + outcome.errors.map(\.diagnostic)
    }

    /// A warning that says why the capture has no lines; nil if it has some, or if another
    /// diagnostic says so.
    private var nothingDecoded: Diagnostic? {
        let counts = outcome.counts
        guard counts.conversation.lines == 0, outcome.errors.isEmpty, counts.damagedPackets == 0,
            !mismatch.excludesEverything
        else { return nil }
        let connections = counted(counts.streams.connections, "connection")
        func warning(_ text: String, help: String? = nil) -> Diagnostic {
            let notes = help.map { [DiagnosticNote(.help, $0)] } ?? []
            return Diagnostic(.warning, "capture.no-lines", text, notes: notes)
        }
        if counts.packets.packets == 0 { return warning("the capture has no packets") }
        if counts.streams.connections == 0 { return warning("the capture has no TCP connections") }
        if counts.conversation.encrypted > 0 {
            return warning(
                "no lines: \(counted(counts.conversation.encrypted, "connection")) encrypted (TLS)",
                help: "--keys FILE decrypts them with a key log (SSLKEYLOGFILE)")
        }
        if counts.streams.bytes == 0 { return warning("no data was sent on \(connections)") }
        return warning("no complete lines on \(connections)")
    }

    /// Notes about connections that were not decrypted, and about unused secrets.
    private var tlsNotes: [Diagnostic] {
        let counts = outcome.counts.conversation
        var notes = outcome.keys?.diagnostics ?? []
        if counts.encrypted > 0, counts.decrypted > 0 {
            notes.append(
                Diagnostic(
                    .note, "capture.encrypted",
                    "\(counted(counts.encrypted, "TLS connection")) not decrypted: the key log has "
                        + "no secrets for \(counts.encrypted == 1 ? "it" : "them")"))
        }
        if counts.undecrypted > 0 {
            notes.append(
                Diagnostic(
                    .warning, "capture.undecrypted",
                    "some data of TLS connections was not decrypted, although the key log has "
                        + "secrets for them; the log shows where and why"))
        }
        return notes
    }

    /// Notes about dialects that were detected rather than given.
    private var guesses: [Diagnostic] {
        let dialects = outcome.dialects
        guard !dialects.guesses.isEmpty || !dialects.laterPorts.isEmpty else {
            return dialects.spoken.isEmpty || dialects.set.usual != nil ? [unmatched(nil)] : []
        }
        let isOne =
            dialects.guesses.count + dialects.laterPorts.count + dialects.unknownPorts.count < 2
            && dialects.others.isEmpty
        let taken = dialects.guesses.map { port, guess in
            Diagnostic(
                .note, "capture.dialect",
                (isOne ? "" : "port \(port): ")
                    + "detected \(guess.name), which matches \(guess.fit.known) of the first "
                    + "\(counted(guess.fit.lines, "line")); --dialect overrides this")
        }
        let later = dialects.laterPorts.map { port, name in
            Diagnostic(
                .note, "capture.dialect",
                (isOne ? "" : "port \(port): ")
                    + "detected \(name) from the first lines; --dialect overrides this")
        }
        let text = dialects.others.isEmpty ? dialects.unknownPorts.map { self.unmatched($0) } : []
        return taken + later + text + others
    }

    /// Returns the warning that the lines of a port match no dialect. If `port` is nil, the warning
    /// is about the whole capture.
    private func unmatched(_ port: UInt16?) -> Diagnostic {
        Diagnostic(
            .warning, "capture.no-dialect",
            (port.map { "port \($0): " } ?? "")
                + "no built-in dialect matches; lines are shown as text"
        ).help("pass --dialect NAME or --dialect FILE.yaml; `linejudge dialect new` creates one")
    }

    /// A warning if none of the lines, or at most half of enough lines to be certain of a dialect,
    /// match the given dialects; otherwise nil.
    private var mismatchWarning: Diagnostic? {
        let counts = outcome.counts.conversation
        let wrong = max(counts.unknown, counts.broken)
        let known = max(counts.lines - wrong - counts.incomplete, 0)
        guard outcome.dialects.areGiven, wrong > 0,
            known == 0 || counts.lines >= PortEvidence.linesMin && known <= counts.lines / 2
        else { return nil }
        let found =
            switch known {
            case 0 where counts.lines == 1: "the only line does not match"
            case 0: "none of the \(counts.lines) lines matches"
            case 1: "only 1 of the \(counts.lines) lines matches"
            default: "only \(known) of the \(counts.lines) lines match"
            }
        let spoken = outcome.dialects.spoken
        let name =
            spoken.count == 1 ? "the \(spoken[0].dialect.name) dialect" : "its port's dialect"
        return Diagnostic(.warning, "capture.wrong-dialect", "\(found) \(name)")
            .help("omit --dialect to detect the dialect")
    }

    /// Notes about ports that were left out because the format supports only one dialect.
    private var others: [Diagnostic] {
        guard !outcome.dialects.others.isEmpty else { return [] }
        var ports = outcome.dialects.others.map { port, name in
            "\(port) (\(name ?? "unknown dialect"))"
        }
        let known = Set(outcome.dialects.others.map(\.port))
        let later = outcome.counts.streams.otherPorts.subtracting(known).sorted()
        if !outcome.dialects.portsAreGiven {
            ports += later.map { "\($0) (traffic started later)" }
        }
        return [
            Diagnostic(
                .warning, "capture.several-dialects",
                "this format supports only one dialect; ports with other dialects are left out: "
                    + ports.joined(separator: ", ")
            ).help("choose another with --dialect NAME and --port NUMBER")
        ]
    }
}
