import Capture
import Diagnostics
import DialectFiles
import LineProtocol
import Report

/// What is said of a capture on standard error.
struct DecodeSummary {
    let outcome: DecodeJob.Outcome

    /// One line: what was read, and what is wrong with it.
    var line: String {
        let counts = outcome.counts
        var parts = [
            "\(counted(counts.packets.packets, "packet"))",
            "\(counted(counts.streams.connections, "connection"))",
            "\(counted(counts.conversation.lines, "line"))",
        ]
        let broken = counts.conversation.broken
        if broken > 0 { parts.append(broken == 1 ? "1 breaks" : "\(broken) break") }
        var text = parts.prefix(3).joined(separator: ", ")
        if let last = parts.dropFirst(3).first {
            let spoken = outcome.dialects.spoken
            let name = spoken.count == 1 ? spoken[0].dialect.name : nil
            text += "; \(last) " + (name.map { "the dialect \($0)" } ?? "the dialect spoken there")
        }
        if counts.streams.gaps > 0 {
            text +=
                "; \(counted(counts.streams.gaps, "placeholder")) of "
                + counted(counts.streams.missingBytes, "byte")
        }
        if counts.streams.conflicts > 0 {
            text += "; \(counted(counts.streams.conflicts, "conflict")) of bytes that came twice"
        }
        return text + "\n"
    }

    /// What a person should know of the capture.
    var diagnostics: [Diagnostic] {
        let counts = outcome.counts
        var notes: [Diagnostic] = []
        func note(_ severity: Severity, _ code: DiagnosticCode, _ text: String) {
            notes.append(Diagnostic(severity, code, text))
        }
        for type in counts.unknownLinkTypes {
            note(.warning, "capture.link-type", "packets of link type \(type.number) are not read")
        }
        if counts.restarts > 0 {
            note(
                .warning, "capture.replaced",
                "the file was replaced or cut \(counted(counts.restarts, "time")) while it was followed; "
                    + "what it held then and was not read is missing")
        }
        if counts.unreadPackets > 0 {
            note(
                .warning, "capture.unread-packets",
                "\(counted(counts.unreadPackets, "packet")) passed over: too large, or of an "
                    + "interface that is not described")
        }
        if counts.packets.droppedFragments > 0 {
            note(
                .warning, "capture.fragments",
                "\(counted(counts.packets.droppedFragments, "IP fragment")) never became a packet")
        }
        if counts.streams.forgotten > 0 {
            note(
                .warning, "capture.too-many-connections",
                "\(counted(counts.streams.forgotten, "connection")) given up: more than "
                    + "\(ReassemblyOptions.connectionsMax) at once")
        }
        if let error = outcome.error { notes.append(error.diagnostic) }
        return notes
    }

    /// What the dialects were taken for, where nobody said it.
    var guesses: [Diagnostic] {
        guard !outcome.dialects.guesses.isEmpty else {
            guard outcome.dialects.set.ports.isEmpty else { return [] }
            return [
                Diagnostic(
                    .warning, "capture.no-dialect",
                    "no built-in dialect fits; every line is shown as text"
                ).help(
                    "say --dialect NAME or --dialect FILE.yaml; `linejudge dialect new` starts one")
            ]
        }
        let isOne = outcome.dialects.guesses.count < 2 && outcome.dialects.others.isEmpty
        let taken = outcome.dialects.guesses.map { port, guess in
            Diagnostic(
                .note, "capture.dialect",
                (isOne ? "" : "port \(port): ")
                    + "taken for \(guess.name): it knows \(guess.known) of the first "
                    + "\(counted(guess.lines, "line")); --dialect says otherwise")
        }
        return taken + others
    }

    /// What was left out, because only one dialect can be taken.
    private var others: [Diagnostic] {
        guard !outcome.dialects.others.isEmpty else { return [] }
        var ports = outcome.dialects.others.map { port, name in
            "\(port) (\(name ?? "no dialect that is known"))"
        }
        let known = Set(outcome.dialects.others.map(\.port))
        let later = outcome.counts.streams.otherPorts.subtracting(known).sorted()
        if !outcome.dialects.portsAreGiven {
            ports += later.map { "\($0) (which began later)" }
        }
        return [
            Diagnostic(
                .warning, "capture.several-dialects",
                "this is of one dialect, and other ports are left out: "
                    + ports.joined(separator: ", ")
            ).help("say --dialect NAME and --port NUMBER for another")
        ]
    }
}
