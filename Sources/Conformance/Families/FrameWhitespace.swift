import LineProtocol
import Session

/// frame.ws: blanks and tabs between fields, and at the ends of texts.
enum FrameWhitespace: CheckFamily {
    static let row = "frame.ws"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.talk?.isOneLine == true else {
            return notApplicable("the dialect states no text that one line carries")
        }
        return [between(subject), inside(subject)].compactMap(\.self).map { .check($0) }
    }

    /// Where separators come in runs, more of them mean the same.
    private static func between(_ subject: Subject) -> Check? {
        let syntax = subject.dialect.syntax
        guard syntax.separatorRuns, syntax.verb != .none else { return nil }
        return Check(
            CheckID(row, "between"), "several separators between fields are one",
            rule: "fields.runs", in: subject
        ) { maker in
            var runs = [2, 10].map { count in
                ("\(count) separators", Array(repeating: syntax.separators[0], count: count))
            }
            if syntax.separators.count > 1 {
                runs.append(("the other separator", [syntax.separators[1]]))
            }
            return runs.map { title, run in
                var script = maker.talkingScript(title)
                script.fence("alice", role: .control)
                script.speak(maker.word(), by: "alice") { wire in
                    var wire = wire
                    wire.line = widened(wire.line, run, subject.dialect)
                    return [wire.bytes]
                }
                script.hear(as: "bob")
                script.fence("alice")
                script.quiet(["bob"])
                return script.judgedByPeer()
            }
        }
    }

    /// The line with this in each place of a single separator.
    static func widened(_ line: [UInt8], _ run: [UInt8], _ dialect: Dialect) -> [UInt8] {
        line.flatMap { dialect.syntax.separators.contains($0) ? run : [$0] }
    }

    /// Blanks and tabs of a text are a part of it.
    private static func inside(_ subject: Subject) -> Check? {
        guard let place = TextPlace(subject) else { return nil }
        let blanks = [ASCII.blank, ASCII.tab].filter(place.isPromised)
        guard !blanks.isEmpty else { return nil }
        return Check(
            CheckID(row, "text"),
            "blanks and tabs at a text's ends and in it arrive\(place.leftOut([ASCII.blank, ASCII.tab]))",
            rule: place.setting, in: subject
        ) { maker in
            var script = maker.talkingScript("blanks before, in and behind a text")
            script.fence("alice", role: .control)
            let texts = blanks.flatMap { blank -> [[UInt8]] in
                let (first, last) = (maker.bytes(), maker.bytes())
                return [
                    [blank] + first, first + [blank], first + [blank, blank] + last,
                    first + [blank, blank, blank],
                ]
            }
            let said = script.exchange(texts)
            return [script.judgedByPeer(texts: said)]
        }
    }
}
