import Diagnostics
import Results

/// All checks that a dialect gives rise to.
package struct Catalogue: Sendable {
    /// The rows, in the order in which they are listed.
    static let families: [any CheckFamily.Type] = frames + texts + people

    /// Rows about commands, their arguments, and how lines are framed.
    private static let frames: [any CheckFamily.Type] = [
        CommandUnknown.self, CommandCase.self, ArityFew.self, ArityDefault.self, ArityExtra.self,
        ArityEmpty.self, FrameSegments.self, FrameTerminator.self, FrameEmpty.self,
        FrameWhitespace.self, FrameMaximum.self, FrameEnd.self, HalfClose.self,
        PipelineOrder.self, PipelineLogin.self,
    ]

    /// Rows about what is inside of texts.
    private static let texts: [any CheckFamily.Type] = [
        EscapeRoundtrip.self, EscapeLenient.self, EscapeIdempotent.self, InjectSeparators.self,
        InjectTerminators.self, InjectCarriageReturn.self, InjectSource.self, FrameNUL.self,
        FrameUTF8.self, FrameControl.self, PayloadLength.self, TypeValues.self, PhaseCommands.self,
        CommandDirectionCheck.self,
    ]

    /// Rows about people: their names, their connections, and what they say to each other.
    private static let people: [any CheckFamily.Type] = [
        IdentityCase.self, IdentityDuplicate.self, IdentityLong.self, IdentityLetters.self,
        IdentityRace.self, ReconnectMid.self, LiveExpiry.self, LiveKeepalive.self, LivePong.self,
        SlowReader.self, SlowWriter.self, MessageHistory.self, FloodBurst.self,
        Amplification.self, LeakChurn.self,
    ]

    /// What it is made for.
    package let subject: Subject
    /// Its lines.
    package let entries: [CatalogueEntry]

    /// The catalogue for a dialect.
    package init(_ subject: Subject) {
        self.subject = subject
        entries = Self.families.flatMap { $0.entries(subject) }
    }

    /// The checks without the lines that do not apply.
    package var checks: [Check] {
        entries.compactMap { entry in
            if case .check(let check) = entry { check } else { nil }
        }
    }

    /// The lines that are selected.
    ///
    /// - Throws: ``SelectionError`` for a pattern that selects nothing.
    package func entries(
        only: [String] = [], skip: [String] = []
    ) throws(SelectionError) -> [CatalogueEntry] {
        for pattern in only + skip where !entries.contains(where: { matches($0.id, pattern) }) {
            throw SelectionError(pattern: pattern, known: Set(entries.map(\.id.row)).sorted())
        }
        return entries.filter { entry in
            (only.isEmpty || only.contains { matches(entry.id, $0) })
                && !skip.contains { matches(entry.id, $0) }
        }
    }

    /// A pattern without a subject stands for all of the row's, one without its end (`frame`) for all rows
    /// that begin so.
    private func matches(_ id: CheckID, _ pattern: String) -> Bool {
        let glob = Glob(pattern)
        let prefixes = id.row.indices.filter { id.row[$0] == "." }.map { String(id.row[..<$0]) }
        return ([id.description, id.row] + prefixes).contains { glob.matches($0) }
    }
}

/// A pattern that selects no check.
package struct SelectionError: Error, Sendable, Hashable {
    /// The pattern.
    package var pattern: String
    /// The rows that there are.
    package var known: [String]
}
