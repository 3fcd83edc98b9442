import LineProtocol
import Results
import Scenario
import Session

/// The `frame.ws` rule, about spaces and tabs between fields, and at the ends of messages.
enum FrameWhitespace: CheckFamily {
    static let ruleID = "frame.ws"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let hasTalk = subject.talk?.isOneLine == true
        let checks = [
            line(subject), hasTalk ? between(subject) : nil, hasTalk ? inside(subject) : nil,
        ].compactMap(\.self)
        return checks.isEmpty
            ? notApplicable("the dialect has neither fields nor single-line messages")
            : checks.map { .check($0) }
    }

    /// Creates the check that a line consisting only of spaces or tabs is ignored or refused, and
    /// that the next line is answered. Returns nil if the dialect has no commands or is not
    /// line-based.
    private static func line(_ subject: Subject) -> Check? {
        guard subject.hasVerbs, subject.dialect.framing.unit == .line else { return nil }
        return Check(
            CheckID(ruleID, "line"),
            "a line consisting only of spaces does not close the connection silently",
            setting: "policies.unknown-command", says: "?", in: subject, level: .robustness
        ) { maker in
            let lines = [
                ("one space", [ASCII.space]), ("four spaces", [UInt8](repeating: 0x20, count: 4)),
                ("a tab", [ASCII.tab]), ("both", [ASCII.space, ASCII.tab, ASCII.space]),
            ]
            // If errors close the connection, only one line can be sent on each connection.
            guard !subject.errorsClose else {
                return lines.map { whitespaceLines("a line of \($0.0)", [$0.1], &maker) }
            }
            return [whitespaceLines("lines of spaces and tabs", lines.map(\.1), &maker)]
        }
    }

    private static func whitespaceLines(
        _ title: String, _ lines: [[UInt8]], _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.script(title)
        script.barrier("alice", role: .control)
        for line in lines {
            script.send(.stimulus, line + maker.subject.terminator, by: "alice")
            script.barrier("alice", mayClose: maker.subject.errorsClose)
        }
        return script.made(.any) { evidence in
            evidence.closingAnswer().map { .observed($0.className) }
                ?? Reaction.open.judge(&evidence)
        }
    }

    /// Creates the check that several separators in a row count as one; nil if they do not in this
    /// dialect.
    private static func between(_ subject: Subject) -> Check? {
        let syntax = subject.dialect.syntax.fromClient
        guard syntax.separatorRuns, syntax.verb != .none else { return nil }
        return Check(
            CheckID(ruleID, "between"), "consecutive separators between fields count as one",
            setting: "fields.runs", in: subject
        ) { maker in
            var runs = [2, 10].map { count in
                ("\(count) separators", Array(repeating: syntax.separators[0], count: count))
            }
            if syntax.separators.count > 1 {
                runs.append(("the other separator", [syntax.separators[1]]))
            }
            return runs.map { title, run in
                var script = maker.talkingScript(title)
                script.barrier("alice", role: .control)
                script.speak(maker.word(), by: "alice") { wire in
                    var wire = wire
                    wire.line = widened(wire.line, run, subject.dialect)
                    return [wire.bytes]
                }
                script.hear(as: "bob")
                script.barrier("alice")
                script.quiet(["bob"])
                return script.judgedByPeer()
            }
        }
    }

    /// Returns the line with each separator replaced by `run`.
    static func widened(_ line: [UInt8], _ run: [UInt8], _ dialect: Dialect) -> [UInt8] {
        line.flatMap { dialect.syntax.fromClient.separators.contains($0) ? run : [$0] }
    }

    /// Creates the check that spaces and tabs in a message are delivered as part of it; nil if the
    /// dialect does not guarantee it.
    private static func inside(_ subject: Subject) -> Check? {
        guard let position = TextPosition(subject) else { return nil }
        let whitespace = [ASCII.space, ASCII.tab].filter(position.isPreserved)
        guard !whitespace.isEmpty else { return nil }
        return Check(
            CheckID(ruleID, "text"),
            "spaces and tabs arrive unchanged inside a message and at its ends\(position.leftOut([ASCII.space, ASCII.tab]))",
            setting: position.setting, in: subject
        ) { maker in
            var script = maker.talkingScript("spaces before, inside and after a message")
            script.barrier("alice", role: .control)
            let texts = whitespace.flatMap { byte -> [[UInt8]] in
                let (first, last) = (maker.bytes(), maker.bytes())
                return [
                    [byte] + first, first + [byte], first + [byte, byte] + last,
                    first + [byte, byte, byte],
                ]
            }
            let said = script.exchange(texts)
            return [script.judgedByPeer(texts: said)]
        }
    }
}
