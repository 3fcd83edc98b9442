import LineProtocol
import Results
import Scenario
import Session

/// The `esc.roundtrip:probe` and `esc.roundtrip:recall` checks: a value that the server returns to
/// its sender comes back unchanged.
enum EscapeEcho {
    private static let bytesPerText = 24
    private static let textsPerCase = 8

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        [
            entry(
                "probe", "of a probe's token comes back unchanged", EchoFragment.probe(subject),
                "the dialect has no probe that echoes its token", subject),
            entry(
                "recall", "of a value stored on the server is read back unchanged",
                EchoFragment.recall(subject),
                "the dialect has no `remember` and `recall` behaviours", subject),
        ]
    }

    private static func entry(
        _ name: String, _ what: String, _ echo: EchoFragment?, _ reason: String, _ subject: Subject
    ) -> CatalogueEntry {
        let id = CheckID(EscapeRoundtrip.ruleID, name)
        guard let echo, let position = TextPosition(inLinesOf: subject) else {
            return .notApplicable(id, reason: reason)
        }
        let bytes = bytes(position, echo, subject)
        let left = TextPosition.without((UInt8.min...UInt8.max).filter { !bytes.contains($0) })
        return .check(
            Check(id, "each byte\(left) \(what)", setting: position.setting, in: subject) { maker in
                let texts = texts(bytes, position, &maker).filter { echo.carries($0, subject) }
                return stride(from: 0, to: texts.count, by: textsPerCase).map { first in
                    let part = Array(texts[first..<min(first + textsPerCase, texts.count)])
                    return made("values \(first + 1) to \(first + part.count)", part, echo, &maker)
                }
            })
    }

    /// Returns the bytes that must be preserved between letters.
    private static func bytes(
        _ position: TextPosition, _ echo: EchoFragment, _ subject: Subject
    ) -> [UInt8] {
        let special = position.special
        return (UInt8.min...UInt8.max).filter { byte in
            guard position.isPreserved(byte) else { return false }
            let text = [UInt8(ascii: "m"), byte, UInt8(ascii: "m")]
            return !special.contains(byte) || echo.carries(text, subject)
        }
    }

    /// Returns values with each byte between letters, and with special bytes at both ends. Another
    /// check covers spaces and tabs at the end.
    private static func texts(
        _ all: [UInt8], _ position: TextPosition, _ maker: inout CaseMaker
    ) -> [[UInt8]] {
        let inside = stride(from: 0, to: all.count, by: bytesPerText).map { first in
            var text = maker.bytes()
            for byte in all[first..<min(first + bytesPerText, all.count)] {
                text += [byte, UInt8(ascii: "m")]
            }
            return text
        }
        return inside
            + position.special.filter { position.isPreserved($0) }.map { byte in
                let isWhitespace = byte == ASCII.space || byte == ASCII.tab
                return [byte] + maker.bytes() + (isWhitespace ? [] : [byte])
            }
    }

    private static func made(
        _ title: String, _ texts: [[UInt8]], _ echo: EchoFragment, _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.script(title)
        script.fragments.append(echo.fragment)
        script.barrier("alice", role: .control)
        script.step(.control, echo.use(maker.bytes(), by: script.actor("alice")))
        for text in texts {
            script.step(.stimulus, echo.use(text, by: script.actor("alice")), topic: text)
        }
        script.barrier("alice")
        return script.made(.any, judge: judge)
    }

    /// Judges the outcome. If another line arrived in place of the expected value, the finding
    /// reports that line, which is more informative than a missing value.
    @Sendable private static func judge(_ evidence: inout Evidence) -> Judgement {
        let judgement = evidence.scripted()
        guard case .failed(let finding) = judgement, finding.kind == "lost",
            let step = evidence.decidingStep, let text = evidence.testCase.steps[step].topic
        else { return judgement }
        var came: TranscriptEntry?
        for (entry, entryStep) in evidence.entries
        where entryStep == step && entry.kind == .received && !evidence.isUnsolicited(entry) {
            came = entry
        }
        return .failed(
            Finding(
                came == nil ? "lost" : "mutated", expected: "\(PeerBytes.shown([text])) comes back",
                got: came.map { "`\(SpelledBytes.string($0.bytes))` came back" }
                    ?? "nothing came back"))
    }
}
