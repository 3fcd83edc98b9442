import DialectFiles
package import Diagnostics
import LineProtocol

extension BoundDialect {
    /// Findings about settings that are valid but probably not what you meant: probes whose answers
    /// cannot be distinguished, and `ignores` patterns that hide lines that behaviours wait for.
    package var lint: [Diagnostic] { BehaviourLint(self).diagnostics }
}

/// The checks for ``BoundDialect/lint``.
private struct BehaviourLint {
    private let bound: BoundDialect
    private let positions: SettingPositions

    init(_ bound: BoundDialect) {
        self.bound = bound
        positions = SettingPositions(bound.source, profile: bound.dialect.profile)
    }

    var diagnostics: [Diagnostic] {
        [probe, sharedAnswer].compactMap(\.self) + ["heard", "arrival"].compactMap(ignoredText)
            + bound.behaviours.keys.sorted().compactMap(misspelledVariable)
    }

    private func diagnostic(
        _ severity: Severity, _ code: DiagnosticCode, _ message: String, at path: String
    ) -> Diagnostic {
        let location = positions[path].map { DiagnosticLocation(source: bound.source, range: $0) }
        return Diagnostic(severity, code, message, at: location)
    }

    private var probe: Diagnostic? {
        guard let probe = bound["probe"] else { return nil }
        switch (probe.sends(variable: "token"), probe.awaits(variable: "token")) {
        case (_, true): return nil
        case (false, false):
            return diagnostic(
                .note, "dialect.counted-probe",
                "the probe has no token, so its answers are matched only by order",
                at: "behaviours.probe"
            )
        case (true, false):
            return diagnostic(
                .warning, "dialect.probe-answer-without-token",
                "the probe sends `{{token}}`, but the answers that it expects do not repeat "
                    + "the token, so they are matched only by order", at: "behaviours.probe"
            ).help("add `{{token}}` to the expected answer, or remove it from the probe")
        }
    }

    /// Returns a warning if a behaviour sends a variable that nothing sets, and whose name resembles
    /// one that is set.
    private func misspelledVariable(_ name: String) -> Diagnostic? {
        let known = BoundDialect.known.union(bound[name]?.parameters ?? [])
        for variable in bound.freeVariables(in: [name]) {
            guard let meant = didYouMean(variable, among: known.sorted()) else { continue }
            return diagnostic(
                .warning, "dialect.unknown-variable",
                "`{{\(variable)}}` in `\(name)` has no value", at: "behaviours.\(name)"
            ).help("did you mean `{{\(meant)}}`? If it is your own variable, pass --var")
        }
        return nil
    }

    private var sharedAnswer: Diagnostic? {
        guard let (name, verb) = bound.sharedProbeAnswer else { return nil }
        return diagnostic(
            .warning, "dialect.shared-probe-answer",
            "the probe and `\(name)` wait for the same answer, `\(escapedForDisplay(verb))`, so one "
                + "may be mistaken for the other", at: "behaviours.probe"
        ).help("probe with a command whose answer no other command gets")
    }

    /// Returns a warning if an `ignores` pattern covers every line that can deliver a message,
    /// otherwise nil.
    private func ignoredText(_ name: String) -> Diagnostic? {
        guard
            let awaited = bound[name]?.awaitedLines.first(where: { $0.variables.contains("text") })
        else { return nil }
        let covers = bound.ignores.contains { pattern in
            guard let ignored = LineShape(pattern, bound.dialect) else { return false }
            return ignored.command == awaited.command
                && ignored.arguments.allSatisfy { $0 == nil || $0 == [.anything] }
        }
        guard covers else { return nil }
        return diagnostic(
            .error, "dialect.ignored-text",
            "`ignores` covers every line that `\(name)` waits for, so no message can arrive",
            at: "ignores"
        ).help("only ignore lines that no behaviour waits for")
    }
}
