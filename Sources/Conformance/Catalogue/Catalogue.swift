import Diagnostics
package import Results

/// The checks generated for a dialect.
package struct Catalogue: Sendable {
    /// All rules, in the order they are listed.
    static let families: [any CheckFamily.Type] = frames + texts + people + features

    /// Rules about commands, arguments and framing.
    private static let frames: [any CheckFamily.Type] = [
        CommandUnknown.self, CommandCase.self, ArityFew.self, ArityDefault.self, ArityExtra.self,
        ArityEmpty.self, FrameSegments.self, FrameTerminator.self, FrameEmpty.self,
        FrameWhitespace.self, FrameMaximum.self, FrameEnd.self, FrameForeign.self, HalfClose.self,
        PipelineOrder.self, PipelineLogin.self,
    ]

    /// Rules about message contents.
    private static let texts: [any CheckFamily.Type] = [
        EscapeRoundtrip.self, EscapeLenient.self, EscapeIdempotent.self, InjectSeparators.self,
        InjectTerminators.self, InjectCarriageReturn.self, InjectSource.self, FrameNUL.self,
        FrameUTF8.self, FrameControl.self, PayloadLength.self, TypeValues.self, PhaseCommands.self,
        CommandDirectionCheck.self, ReplyShape.self, ReplyLong.self, JSONSpelling.self,
        JSONDuplicate.self, JSONInvalid.self, JSONDepth.self,
    ]

    /// Rules about users: names, connections and messages between users.
    private static let people: [any CheckFamily.Type] = [
        IdentityCase.self, IdentityDuplicate.self, IdentityLong.self, IdentityControlBytes.self,
        IdentityRace.self, ReconnectMid.self, LiveExpiry.self, LiveKeepalive.self, LivePong.self,
        SlowReader.self, SlowWriter.self, MessageHistory.self, FloodBurst.self,
        Amplification.self, LeakChurn.self,
    ]

    /// Rules about features that clients can request, and about modes.
    private static let features: [any CheckFamily.Type] = [
        CapabilityRequests.self, CapabilityPairs.self, TagRules.self, LabelledCommands.self,
        BatchRules.self,
        MonitoredUsers.self, RoomModes.self,
    ]

    package let entries: [CatalogueEntry]

    package init(_ subject: Subject) {
        entries = Self.families.flatMap { $0.entries(subject) }
    }

    /// The checks of all applicable rules.
    package var checks: [Check] {
        entries.compactMap { entry in
            if case .check(let check) = entry { check } else { nil }
        }
    }

    /// Returns the selected entries.
    ///
    /// - Throws: ``SelectionError`` for a pattern that selects nothing.
    package func entries(
        only: [String] = [], skip: [String] = []
    ) throws(SelectionError) -> [CatalogueEntry] {
        let ids = try Self.select(entries.map(\.id), only: only, skip: skip)
        return entries.filter { ids.contains($0.id) }
    }

    /// Returns the IDs that the patterns select.
    ///
    /// - Throws: ``SelectionError`` for a pattern that selects nothing.
    private static func select(
        _ ids: [CheckID], only: [String], skip: [String]
    ) throws(SelectionError) -> Set<CheckID> {
        for pattern in only + skip where !ids.contains(where: { matches($0, pattern) }) {
            throw SelectionError(pattern: pattern, known: Set(ids.map(\.rule)).sorted())
        }
        return Set(
            ids.filter { id in
                (only.isEmpty || only.contains { matches(id, $0) })
                    && !skip.contains { matches(id, $0) }
            })
    }

    /// Returns the IDs that the patterns select.
    ///
    /// - Throws: A usage error for a pattern that selects nothing.
    package static func selected(
        _ ids: [CheckID], only: [String], skip: [String]
    ) throws(CommandFailure) -> Set<CheckID> {
        do {
            return try select(ids, only: only, skip: skip)
        } catch {
            throw CommandFailure(
                .usage, .badOption,
                "no check of captures matches `\(escapedForDisplay(error.pattern))`",
                help: "checks: \(error.known.joined(separator: ", "))")
        }
    }

    /// Returns whether a pattern selects a check. The name of a rule selects all checks of the
    /// rule. The first part of a rule's name, such as `frame`, selects all rules that start with
    /// it.
    private static func matches(_ id: CheckID, _ pattern: String) -> Bool {
        let glob = Glob(CheckID.current(pattern))
        let prefixes = id.rule.indices.filter { id.rule[$0] == "." }.map { String(id.rule[..<$0]) }
        return ([id.description, id.rule] + prefixes).contains { glob.matches($0) }
    }
}

/// The error for a pattern that selects no check.
package struct SelectionError: Error, Sendable, Hashable {
    package var pattern: String
    /// Names of the existing rules.
    package var known: [String]
}
